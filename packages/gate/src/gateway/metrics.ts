import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Kind, Ruling, ServerName, Source } from "@countersign/core";
import type { ListFailure, WireEvent } from "@countersign/wire";
import { version } from "../version.ts";
import { type CodeLabel, codeLabel } from "./code-label.ts";
import type { ChildEnd, GatewayEvent, Outcome, TurnedAway, UpstreamFailure } from "./gateway-event.ts";
import { type MethodLabel, methodLabel } from "./method-label.ts";
import { Counter, Gauge, Histogram, type Metric, readMetric } from "./prometheus.ts";

export interface GatewayMetrics {
  readonly report: (event: GatewayEvent) => void;
  /** All of them, in the text format of Prometheus. */
  readonly text: () => string;
}

export interface MetricsOptions {
  /** All that are served: each has its gauges from the beginning. */
  readonly servers: readonly ServerName[];
  /** Seconds since the ledger was read last. */
  readonly ledgerAge: () => number;
}

type Side = "host" | "server";

/**
 * What a gateway counts. A label is the operator's name of a server or a word of ours: the types of the labels hold no
 * other text, and what comes as any text goes through `methodLabel` and `codeLabel`.
 */
export function gatewayMetrics({ servers, ledgerAge }: MetricsOptions): GatewayMetrics {
  const requests = new Counter<{ server: ServerName; method: MethodLabel; outcome: Outcome["is"] }>(
    "countersign_requests_total",
    "Requests of hosts that are over, by how.",
    ["server", "method", "outcome"],
  );
  const durations = new Histogram<{ server: ServerName; method: MethodLabel }>(
    "countersign_request_duration_seconds",
    "From the first byte of a request of a host to the end of its answer.",
    ["server", "method"],
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  );
  const running = new Gauge<{ server: ServerName }>("countersign_requests_open", "Requests that have no end yet.", [
    "server",
  ]);
  const sessions = new Gauge<{ server: ServerName }>("countersign_sessions_open", "Sessions that are open.", [
    "server",
  ]);
  const sessionEnds = new Counter<{ server: ServerName; by: "host" | "server" | "idle" | "drain" }>(
    "countersign_sessions_ended_total",
    "Sessions that are over, by whom.",
    ["server", "by"],
  );
  const streams = new Gauge<{ server: ServerName }>(
    "countersign_streams_open",
    "Streams on which hosts listen without having asked for something.",
    ["server"],
  );
  const children = new Gauge<{ server: ServerName }>(
    "countersign_children",
    "Processes of a server that the gateway has started and that run.",
    ["server"],
  );
  const childEnds = new Counter<{ server: ServerName; how: ChildEnd }>(
    "countersign_child_ends_total",
    "Processes of a server that are over, by how.",
    ["server", "how"],
  );
  const backOffs = new Counter<{ server: ServerName }>(
    "countersign_child_back_offs_total",
    "Hosts that were told to wait, because processes of a server ended too often.",
    ["server"],
  );
  const launchesHeld = new Counter<{ server: ServerName }>(
    "countersign_launches_held_total",
    "Connections that were not begun, because a server is not reached as it was approved to be.",
    ["server"],
  );
  const upstreamFailures = new Counter<{ server: ServerName; code: UpstreamFailure }>(
    "countersign_upstream_failures_total",
    "Exchanges with a server at a URL that failed, by why.",
    ["server", "code"],
  );
  const turnedAway = new Counter<{ server: ServerName | ""; code: TurnedAway }>(
    "countersign_turned_away_total",
    "HTTP requests of which nothing came to a guard, by why.",
    ["server", "code"],
  );
  const definitions = new Gauge<{ server: ServerName; source: Source; verdict: Ruling["verdict"] }>(
    "countersign_definitions",
    "Definitions by how they stood when they were last ruled on: bind are given to hosts, the others withheld.",
    ["server", "source", "verdict"],
  );
  const usesRefused = new Counter<{ server: ServerName; kind: Kind; code: CodeLabel }>(
    "countersign_uses_refused_total",
    "Uses of a tool, prompt or resource that were refused, and calls whose arguments or results were.",
    ["server", "kind", "code"],
  );
  const usesLetThrough = new Counter<{ server: ServerName; kind: Kind; code: CodeLabel }>(
    "countersign_uses_let_through_total",
    "Uses that would be refused, and passed under observe or a bypass.",
    ["server", "kind", "code"],
  );
  const framesRefused = new Counter<{
    server: ServerName;
    from: Side;
    code: Extract<WireEvent, { is: "frame-refused" }>["code"];
  }>("countersign_frames_refused_total", "Messages that were not understood in one way only.", [
    "server",
    "from",
    "code",
  ]);
  const unasked = new Counter<{ server: ServerName; from: Side }>(
    "countersign_unasked_answers_total",
    "Answers that nobody had asked for, or that came twice.",
    ["server", "from"],
  );
  const methodsRefused = new Counter<{ server: ServerName; from: Side }>(
    "countersign_methods_refused_total",
    "Messages of a method that does not pass.",
    ["server", "from"],
  );
  const asksRefused = new Counter<{ server: ServerName; code: CodeLabel }>(
    "countersign_asks_refused_total",
    "Requests of a server to a host that were refused.",
    ["server", "code"],
  );
  const heldBack = new Counter<{ server: ServerName; why: "not-approved-yet" | "not-ready-yet" }>(
    "countersign_messages_held_back_total",
    "Messages of a server that were dropped: nothing of it is approved, or the host was not ready.",
    ["server", "why"],
  );
  const listsFailed = new Counter<{ server: ServerName; source: Source; code: ListFailure["code"] }>(
    "countersign_lists_failed_total",
    "Complete lists that could not be had.",
    ["server", "source", "code"],
  );
  const verified = new Counter<{ server: ServerName; source: Source }>(
    "countersign_lists_verified_total",
    "Complete lists that were had and ruled on.",
    ["server", "source"],
  );
  const faults = new Counter<{ server: ServerName }>(
    "countersign_faults_total",
    "Faults of the ledger, a gate or the guard. What waited was withheld.",
    ["server"],
  );
  const ledgerTrouble = new Counter<{ server: ServerName }>(
    "countersign_ledger_trouble_total",
    "Looks at the ledger that failed in a new way.",
    ["server"],
  );
  const bypassed = new Gauge<{ server: ServerName }>("countersign_bypassed", "1 while a bypass lets everything pass.", [
    "server",
  ]);
  const certificates = new Counter<{ outcome: "read" | "failed" }>(
    "countersign_certificate_reads_total",
    "Times that the certificate was read anew.",
    ["outcome"],
  );
  const build = new Gauge<{ version: string }>("countersign_build_info", "1; its label is the version.", ["version"]);

  const onWire = (server: ServerName, event: WireEvent): void => {
    switch (event.is) {
      case "frame-refused":
        return framesRefused.add({ server, from: event.from, code: event.code });
      case "unasked-answer":
        return unasked.add({ server, from: event.from });
      case "method-refused":
        return methodsRefused.add({ server, from: event.from });
      case "ask-refused":
        return asksRefused.add({ server, code: codeLabel(event.code) });
      case "not-approved-yet":
      case "not-ready-yet":
        return heldBack.add({ server, why: event.is });
      case "list-failed":
        return listsFailed.add({ server, source: event.source, code: event.code });
      case "use-refused":
        return usesRefused.add({ server, kind: event.kind, code: codeLabel(event.code) });
      case "use-let-through":
        return usesLetThrough.add({ server, kind: event.kind, code: codeLabel(event.code) });
      case "verified":
        return verified.add({ server, source: event.source });
      case "broken":
        return faults.add({ server });
      // Of how many definitions are withheld, `ruled` tells more.
      case "withheld":
      case "let-through":
      case "answered":
      case "listed":
      case "lists-late":
      case "no-answer-yet":
        return;
    }
  };

  const report = (event: GatewayEvent): void => {
    switch (event.is) {
      case "request-began":
        return running.add({ server: event.request.server }, 1);
      case "request-ended": {
        const { server, method, began } = event.request;
        const label = methodLabel(method);
        running.add({ server }, -1);
        requests.add({ server, method: label, outcome: event.outcome.is });
        return durations.observe({ server, method: label }, (performance.now() - began) / 1_000);
      }
      case "session-opened":
        return sessions.add({ server: event.server }, 1);
      case "session-closed":
        sessions.add({ server: event.server }, -1);
        return sessionEnds.add({ server: event.server, by: event.by });
      case "stream-opened":
        return streams.add({ server: event.server }, 1);
      case "stream-closed":
        return streams.add({ server: event.server }, -1);
      case "child-started":
        return children.add({ server: event.server }, 1);
      case "child-ended":
        children.add({ server: event.server }, -1);
        return childEnds.add({ server: event.server, how: event.how });
      case "child-backs-off":
        return backOffs.add({ server: event.server });
      case "launch-held":
        return launchesHeld.add({ server: event.server });
      case "upstream-failed":
        return upstreamFailures.add({ server: event.server, code: event.code });
      case "turned-away":
        return turnedAway.add({ server: event.server ?? "", code: event.code });
      case "ruled":
        for (const verdict of verdicts)
          definitions.set({ server: event.server, source: event.source, verdict }, event.verdicts[verdict]);
        return;
      case "ledger":
        if (event.event.is === "ledger-trouble") return ledgerTrouble.add({ server: event.server });
        return bypassed.set({ server: event.server }, event.event.is === "bypass-began" ? 1 : 0);
      case "certificate-read":
        return certificates.add({ outcome: "read" });
      case "certificate-failed":
        return certificates.add({ outcome: "failed" });
      case "wire":
        return onWire(event.server, event.event);
      case "listening":
      case "draining":
      case "stopped":
      case "request-passed":
        return;
    }
  };

  build.set({ version }, 1);
  for (const server of servers) for (const gauge of [running, sessions, streams, children]) gauge.add({ server }, 0);
  const all: readonly Metric[] = [
    ...[requests, durations, running, sessions, sessionEnds, streams, children, childEnds, backOffs, launchesHeld],
    ...[upstreamFailures, turnedAway, definitions, usesRefused, usesLetThrough, framesRefused, unasked, methodsRefused],
    ...[asksRefused, heldBack, listsFailed, verified, faults, ledgerTrouble, bypassed, certificates, build],
    readMetric("countersign_ledger_age_seconds", "gauge", "Since the ledger was read last.", ledgerAge),
    ...processMetrics(),
  ];
  return { report, text: () => `${all.flatMap((metric) => metric.lines()).join("\n")}\n` };
}

const verdicts: readonly Ruling["verdict"][] = ["bind", "quarantine", "refuse"];

/** By the names that Prometheus' own clients use. */
function processMetrics(): readonly Metric[] {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const began = Date.now() / 1_000 - process.uptime();
  const seconds = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  return [
    readMetric("process_cpu_seconds_total", "counter", "CPU time that the process took.", seconds),
    readMetric("process_resident_memory_bytes", "gauge", "Resident memory.", () => process.memoryUsage.rss()),
    readMetric("process_start_time_seconds", "gauge", "When it was started, since 1970.", () => began),
    readMetric("nodejs_heap_size_used_bytes", "gauge", "Heap in use.", () => process.memoryUsage().heapUsed),
    readMetric("nodejs_eventloop_lag_p99_seconds", "gauge", "How late timers are since it was last asked.", () => {
      const late = delay.percentile(99) / 1e9;
      delay.reset();
      return late;
    }),
  ];
}
