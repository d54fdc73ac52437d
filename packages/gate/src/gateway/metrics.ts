import type { Ruling, ServerName } from "@countersign/core";
import type { WireEvent } from "@countersign/wire";
import type { AccessEvent } from "../access/access-event.ts";
import { version } from "../version.ts";
import { codeLabel } from "./code-label.ts";
import type { GatewayEvent } from "./gateway-event.ts";
import { methodLabel } from "./method-label.ts";
import { metricFamilies } from "./metric-families.ts";
import { processMetrics } from "./process-metrics.ts";
import { type Metric, readMetric } from "./prometheus.ts";

export interface GatewayMetrics {
  readonly report: (event: GatewayEvent) => void;
  /** All of them, in the text format of Prometheus. */
  readonly text: () => string;
}

export interface MetricsOptions {
  /** All that are served: each has its gauges from the beginning. */
  readonly servers: Iterable<ServerName>;
  /** Seconds since the ledger was read last. */
  readonly ledgerAge: () => number;
}

export function gatewayMetrics({ servers, ledgerAge }: MetricsOptions): GatewayMetrics {
  const of = metricFamilies();
  of.build.set({ version }, 1);
  for (const server of servers)
    for (const gauge of [of.running, of.sessions, of.streams, of.children]) gauge.add({ server }, 0);
  const all: readonly Metric[] = [
    ...Object.values(of),
    readMetric("countersign_ledger_age_seconds", "gauge", "Since the ledger was read last.", ledgerAge),
    ...processMetrics(),
  ];
  return {
    report: (event) => count(of, event),
    text: () => `${all.flatMap((metric) => metric.lines()).join("\n")}\n`,
  };
}

type Families = ReturnType<typeof metricFamilies>;

/** Counts what happened. What comes as any text goes through `methodLabel` and `codeLabel`. */
function count(of: Families, event: GatewayEvent): void {
  switch (event.is) {
    case "request-began":
      of.running.add({ server: event.request.server }, 1);
      return;
    case "request-ended": {
      const { server, method, began } = event.request;
      const label = methodLabel(method);
      of.running.add({ server }, -1);
      of.requests.add({ server, method: label, outcome: event.outcome.is });
      of.durations.observe({ server, method: label }, (performance.now() - began) / 1_000);
      return;
    }
    case "session-opened":
      of.sessions.add({ server: event.server }, 1);
      return;
    case "session-closed":
      of.sessions.add({ server: event.server }, -1);
      of.sessionEnds.add({ server: event.server, by: event.by });
      return;
    case "stream-opened":
      of.streams.add({ server: event.server }, 1);
      return;
    case "stream-closed":
      of.streams.add({ server: event.server }, -1);
      return;
    case "child-started":
      of.children.add({ server: event.server }, 1);
      return;
    case "child-ended":
      of.children.add({ server: event.server }, -1);
      of.childEnds.add({ server: event.server, how: event.how });
      return;
    case "child-backs-off":
      of.backOffs.add({ server: event.server });
      return;
    case "launch-held":
      of.launchesHeld.add({ server: event.server });
      return;
    case "upstream-failed":
      of.upstreamFailures.add({ server: event.server, code: event.code });
      return;
    case "turned-away":
      of.turnedAway.add({ server: event.server, code: event.code });
      return;
    case "unreachable":
      of.unreachable.add({ server: event.server });
      return;
    case "access":
      countAccess(of, event.event);
      return;
    case "ruled":
      for (const verdict of verdicts)
        of.definitions.set({ server: event.server, source: event.source, verdict }, event.verdicts[verdict]);
      return;
    case "ledger":
      if (event.event.is === "ledger-trouble") of.ledgerTrouble.add({ server: event.server });
      else of.bypassed.set({ server: event.server }, event.event.is === "bypass-began" ? 1 : 0);
      return;
    case "wire":
      countOnWire(of, event.server, event.event);
      return;
    case "listening":
    case "stopped":
    case "ignored":
    case "request-passed":
    case "too-many-principals":
      return;
  }
  event satisfies never;
}

function countOnWire(of: Families, server: ServerName, event: WireEvent): void {
  switch (event.is) {
    case "frame-refused":
      of.framesRefused.add({ server, from: event.from, code: event.code });
      return;
    case "unasked-answer":
      of.unasked.add({ server, from: event.from });
      return;
    case "cut-off":
      of.answersCut.add({ server, code: event.code });
      return;
    case "method-refused":
      of.methodsRefused.add({ server, from: event.from });
      return;
    case "ask-refused":
      of.asksRefused.add({ server, code: codeLabel(event.code) });
      return;
    case "not-approved-yet":
    case "not-ready-yet":
      of.heldBack.add({ server, why: event.is });
      return;
    case "list-failed":
      of.listsFailed.add({ server, source: event.source, code: event.code });
      return;
    case "use-refused":
      of.usesRefused.add({ server, kind: event.kind, code: codeLabel(event.code) });
      return;
    case "use-let-through":
      of.usesLetThrough.add({ server, kind: event.kind, code: codeLabel(event.code) });
      return;
    case "verified":
      of.verified.add({ server, source: event.source });
      return;
    case "broken":
      of.faults.add({ server });
      return;
    // Of how many definitions are withheld, `ruled` tells more.
    case "withheld":
    case "let-through":
    case "answered":
    case "listed":
    case "lists-late":
    case "no-answer-yet":
      return;
  }
  event satisfies never;
}

function countAccess(of: Families, event: AccessEvent): void {
  switch (event.is) {
    case "refused":
      of.refused.add({ server: event.server ?? "", code: event.code });
      return;
    case "cut-off":
      of.cutOff.add({ because: event.because }, event.streams);
      return;
    case "trouble":
      of.accessTrouble.add({});
      return;
    case "certificate-loaded":
      of.certificates.add({ outcome: "read" });
      return;
    case "certificate-refused":
      of.certificates.add({ outcome: "failed" });
      return;
    case "draining":
    case "drained":
      return;
  }
  event satisfies never;
}

const verdicts: readonly Ruling["verdict"][] = ["bind", "quarantine", "refuse"];
