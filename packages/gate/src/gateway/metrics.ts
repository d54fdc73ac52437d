import type { Ruling, ServerName } from "@countersign/core";
import type { WireEvent } from "@countersign/wire";
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
      break;
    case "request-ended": {
      const { server, method, began } = event.request;
      const label = methodLabel(method);
      of.running.add({ server }, -1);
      of.requests.add({ server, method: label, outcome: event.outcome.is });
      of.durations.observe({ server, method: label }, (performance.now() - began) / 1_000);
      break;
    }
    case "session-opened":
      of.sessions.add({ server: event.server }, 1);
      break;
    case "session-closed":
      of.sessions.add({ server: event.server }, -1);
      of.sessionEnds.add({ server: event.server, by: event.by });
      break;
    case "stream-opened":
      of.streams.add({ server: event.server }, 1);
      break;
    case "stream-closed":
      of.streams.add({ server: event.server }, -1);
      break;
    case "child-started":
      of.children.add({ server: event.server }, 1);
      break;
    case "child-ended":
      of.children.add({ server: event.server }, -1);
      of.childEnds.add({ server: event.server, how: event.how });
      break;
    case "child-backs-off":
      of.backOffs.add({ server: event.server });
      break;
    case "launch-held":
      of.launchesHeld.add({ server: event.server });
      break;
    case "upstream-failed":
      of.upstreamFailures.add({ server: event.server, code: event.code });
      break;
    case "turned-away":
      of.turnedAway.add({ server: event.server ?? "", code: event.code });
      break;
    case "ruled":
      for (const verdict of verdicts)
        of.definitions.set({ server: event.server, source: event.source, verdict }, event.verdicts[verdict]);
      break;
    case "ledger":
      if (event.event.is === "ledger-trouble") of.ledgerTrouble.add({ server: event.server });
      else of.bypassed.set({ server: event.server }, event.event.is === "bypass-began" ? 1 : 0);
      break;
    case "certificate-read":
      of.certificates.add({ outcome: "read" });
      break;
    case "certificate-failed":
      of.certificates.add({ outcome: "failed" });
      break;
    case "wire":
      countOnWire(of, event.server, event.event);
      break;
    case "listening":
    case "draining":
    case "stopped":
    case "request-passed":
      break;
  }
}

function countOnWire(of: Families, server: ServerName, event: WireEvent): void {
  switch (event.is) {
    case "frame-refused":
      of.framesRefused.add({ server, from: event.from, code: event.code });
      break;
    case "unasked-answer":
      of.unasked.add({ server, from: event.from });
      break;
    case "method-refused":
      of.methodsRefused.add({ server, from: event.from });
      break;
    case "ask-refused":
      of.asksRefused.add({ server, code: codeLabel(event.code) });
      break;
    case "not-approved-yet":
    case "not-ready-yet":
      of.heldBack.add({ server, why: event.is });
      break;
    case "list-failed":
      of.listsFailed.add({ server, source: event.source, code: event.code });
      break;
    case "use-refused":
      of.usesRefused.add({ server, kind: event.kind, code: codeLabel(event.code) });
      break;
    case "use-let-through":
      of.usesLetThrough.add({ server, kind: event.kind, code: codeLabel(event.code) });
      break;
    case "verified":
      of.verified.add({ server, source: event.source });
      break;
    case "broken":
      of.faults.add({ server });
      break;
    // Of how many definitions are withheld, `ruled` tells more.
    case "withheld":
    case "let-through":
    case "answered":
    case "listed":
    case "lists-late":
    case "no-answer-yet":
      break;
  }
}

const verdicts: readonly Ruling["verdict"][] = ["bind", "quarantine", "refuse"];
