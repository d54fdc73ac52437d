import type { Kind, Ruling, ServerName, Source } from "@countersign/core";
import type { ListFailure, WireEvent } from "@countersign/wire";
import type { RemoteFailure, TurnedAway } from "@countersign/wire/http";
import type { AccessEvent } from "../access/access-event.ts";
import type { CodeLabel } from "./code-label.ts";
import type { ChildEnd, Outcome } from "./gateway-event.ts";
import type { MethodLabel } from "./method-label.ts";
import { Counter, Gauge, Histogram } from "./prometheus.ts";

type Side = "host" | "server";
type AccessRefusal = Extract<AccessEvent, { is: "refused" }>["code"];
type CutCode = Extract<WireEvent, { is: "cut-off" }>["code"];

/** What a gateway counts. A label is the operator's name of a server or a word of ours: no type here takes another text. */
export function metricFamilies() {
  return {
    requests: new Counter<{ server: ServerName; method: MethodLabel; outcome: Outcome["is"] }>(
      "countersign_requests_total",
      "Requests of hosts that are over, by how.",
      ["server", "method", "outcome"],
    ),
    durations: new Histogram<{ server: ServerName; method: MethodLabel }>(
      "countersign_request_duration_seconds",
      "From the first byte of a request of a host to the end of its answer.",
      ["server", "method"],
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    ),
    running: new Gauge<{ server: ServerName }>("countersign_requests_open", "Requests that have no end yet.", [
      "server",
    ]),
    sessions: new Gauge<{ server: ServerName }>("countersign_sessions_open", "Sessions that are open.", ["server"]),
    sessionEnds: new Counter<{ server: ServerName; by: "host" | "server" | "idle" | "drain" }>(
      "countersign_sessions_ended_total",
      "Sessions that are over, by whom.",
      ["server", "by"],
    ),
    streams: new Gauge<{ server: ServerName }>(
      "countersign_streams_open",
      "Streams on which hosts listen without having asked for something.",
      ["server"],
    ),
    children: new Gauge<{ server: ServerName }>(
      "countersign_children",
      "Processes of a server that the gateway has started and that run.",
      ["server"],
    ),
    childEnds: new Counter<{ server: ServerName; how: ChildEnd }>(
      "countersign_child_ends_total",
      "Processes of a server that are over, by how.",
      ["server", "how"],
    ),
    backOffs: new Counter<{ server: ServerName }>(
      "countersign_child_back_offs_total",
      "Hosts that were told to wait, because processes of a server ended too often.",
      ["server"],
    ),
    launchesHeld: new Counter<{ server: ServerName }>(
      "countersign_launches_held_total",
      "Connections that were not begun, because a server is not reached as it was approved to be.",
      ["server"],
    ),
    upstreamFailures: new Counter<{ server: ServerName; code: RemoteFailure }>(
      "countersign_upstream_failures_total",
      "Exchanges with a server at a URL that failed, by why.",
      ["server", "code"],
    ),
    turnedAway: new Counter<{ server: ServerName; code: TurnedAway }>(
      "countersign_turned_away_total",
      "HTTP requests that were let in, and of which nothing came to a guard, by why.",
      ["server", "code"],
    ),
    refused: new Counter<{ server: ServerName | ""; code: AccessRefusal }>(
      "countersign_access_refused_total",
      "HTTP requests that were not let in, by why.",
      ["server", "code"],
    ),
    cutOff: new Counter<{ because: "revoked" | "expired" }>(
      "countersign_access_cut_off_total",
      "Streams that were ended because their credential counts no longer.",
      ["because"],
    ),
    accessTrouble: new Counter<Record<never, string>>(
      "countersign_access_trouble_total",
      "Requests that could not be looked at.",
      [],
    ),
    unreachable: new Counter<{ server: ServerName }>(
      "countersign_unreachable_total",
      "Connections that were not begun, because a variable is missing or the like.",
      ["server"],
    ),
    definitions: new Gauge<{ server: ServerName; source: Source; verdict: Ruling["verdict"] }>(
      "countersign_definitions",
      "Definitions by how they stood when they were last ruled on: bind are given to hosts, the others withheld.",
      ["server", "source", "verdict"],
    ),
    usesRefused: new Counter<{ server: ServerName; kind: Kind; code: CodeLabel }>(
      "countersign_uses_refused_total",
      "Uses of a tool, prompt or resource that were refused, and calls whose arguments or results were.",
      ["server", "kind", "code"],
    ),
    usesLetThrough: new Counter<{ server: ServerName; kind: Kind; code: CodeLabel }>(
      "countersign_uses_let_through_total",
      "Uses that would be refused, and passed under observe or a bypass.",
      ["server", "kind", "code"],
    ),
    framesRefused: new Counter<{
      server: ServerName;
      from: Side;
      code: Extract<WireEvent, { is: "frame-refused" }>["code"];
    }>("countersign_frames_refused_total", "Messages that were not understood in one way only.", [
      "server",
      "from",
      "code",
    ]),
    unasked: new Counter<{ server: ServerName; from: Side }>(
      "countersign_unasked_answers_total",
      "Answers that nobody had asked for, or that came twice.",
      ["server", "from"],
    ),
    answersCut: new Counter<{ server: ServerName; code: CutCode }>(
      "countersign_answers_cut_off_total",
      "Answers that were passed on as they came, and went on as they may not.",
      ["server", "code"],
    ),
    methodsRefused: new Counter<{ server: ServerName; from: Side }>(
      "countersign_methods_refused_total",
      "Messages of a method that does not pass.",
      ["server", "from"],
    ),
    asksRefused: new Counter<{ server: ServerName; code: CodeLabel }>(
      "countersign_asks_refused_total",
      "Requests of a server to a host that were refused.",
      ["server", "code"],
    ),
    heldBack: new Counter<{ server: ServerName; why: "not-approved-yet" | "not-ready-yet" }>(
      "countersign_messages_held_back_total",
      "Messages of a server that were dropped: nothing of it is approved, or the host was not ready.",
      ["server", "why"],
    ),
    listsFailed: new Counter<{ server: ServerName; source: Source; code: ListFailure["code"] }>(
      "countersign_lists_failed_total",
      "Complete lists that could not be had.",
      ["server", "source", "code"],
    ),
    verified: new Counter<{ server: ServerName; source: Source }>(
      "countersign_lists_verified_total",
      "Complete lists that were had and ruled on.",
      ["server", "source"],
    ),
    faults: new Counter<{ server: ServerName }>(
      "countersign_faults_total",
      "Faults of the ledger, a gate or the guard. What waited was withheld.",
      ["server"],
    ),
    ledgerTrouble: new Counter<{ server: ServerName }>(
      "countersign_ledger_trouble_total",
      "Looks at the ledger that failed in a new way.",
      ["server"],
    ),
    bypassed: new Gauge<{ server: ServerName }>("countersign_bypassed", "1 while a bypass lets everything pass.", [
      "server",
    ]),
    certificates: new Counter<{ outcome: "read" | "failed" }>(
      "countersign_certificate_reads_total",
      "Times that the certificate was read anew.",
      ["outcome"],
    ),
    build: new Gauge<{ version: string }>("countersign_build_info", "1; its label is the version.", ["version"]),
  };
}
