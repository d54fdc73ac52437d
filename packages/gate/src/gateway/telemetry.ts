import { createHash } from "node:crypto";
import {
  type Attributes,
  type Context,
  context,
  createNoopMeter,
  type Histogram,
  metrics,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { version } from "../version.ts";
import type { GatewayEvent, HostRequest, Outcome } from "./gateway-event.ts";
import { methodLabel } from "./method-label.ts";

export interface Telemetry {
  readonly report: (event: GatewayEvent) => void;
}

/**
 * Traces and durations by OpenTelemetry, through whatever SDK was registered before: `node --import`. Undefined where none
 * was, so that nothing is done for nobody. The API that we bundle is the oldest that has metrics: one that is newer than the
 * SDK's own does not see it.
 *
 * The names are those of the semantic conventions for MCP. What an attribute holds is the operator's, the host's within
 * bounds, approved text, or ours: never a description, an argument, a result or another word of a server's.
 */
export function telemetry(): Telemetry | undefined {
  const tracer = trace.getTracer("countersign", version);
  const meter = metrics.getMeter("countersign", version);
  const measures = meter !== createNoopMeter();
  if (!isTracing(tracer) && !measures) return undefined;
  const histogram = (side: "server" | "client"): Histogram =>
    meter.createHistogram(`mcp.${side}.operation.duration`, {
      unit: "s",
      description: `Duration of an MCP operation as its ${side} sees it`,
    });
  const asServer = histogram("server");
  const asClient = histogram("client");
  const running = new WeakMap<HostRequest, Running>();
  return {
    report(event) {
      switch (event.is) {
        case "request-began":
          running.set(event.request, began(tracer, event.request));
          return;
        case "request-passed": {
          const one = running.get(event.request);
          if (one !== undefined) passed(tracer, one, event.request, event.tool);
          return;
        }
        case "request-ended": {
          const one = running.get(event.request);
          running.delete(event.request);
          if (one === undefined) return;
          const attributes = { ...one.attributes, ...outcomeOf(event.outcome) };
          const { upstream } = one;
          if (upstream !== undefined) {
            if (isServers(event.outcome))
              asClient.record((performance.now() - upstream.began) / 1_000, attributes, one.context);
            end(upstream.span, event.outcome);
          }
          asServer.record((performance.now() - event.request.began) / 1_000, attributes, one.context);
          end(one.span, event.outcome);
        }
      }
    },
  };
}

/** An operation of a host: we are the server of it, and the client of the server behind us. */
interface Running {
  readonly span: Span;
  readonly context: Context;
  /** Of the metrics: few values each. */
  attributes: Attributes;
  upstream?: { readonly span: Span; readonly began: number };
}

/** Without an SDK no span has an id, sampled or not. The one that asks is never ended, so nobody is given it. */
function isTracing(tracer: Tracer): boolean {
  return /[1-9a-f]/.test(tracer.startSpan("countersign").spanContext().traceId);
}

function began(tracer: Tracer, request: HostRequest): Running {
  const method = methodLabel(request.method);
  const parent = propagation.extract(context.active(), request, carrierGetter);
  const attributes: Attributes = {
    "mcp.method.name": method,
    "network.transport": "tcp",
    ...(protocols.has(request.protocol ?? "") ? { "mcp.protocol.version": request.protocol } : {}),
    "countersign.server": request.server,
  };
  const span = tracer.startSpan(
    method,
    {
      kind: SpanKind.SERVER,
      startTime: performance.timeOrigin + request.began,
      attributes: {
        ...attributes,
        "jsonrpc.request.id": request.id.slice(0, 128),
        ...(request.session === undefined ? {} : { "mcp.session.id": unusable(request.session) }),
        ...(request.method === "tools/call" ? { "gen_ai.operation.name": "execute_tool" } : {}),
      },
    },
    parent,
  );
  return { span, attributes, context: trace.setSpan(parent, span) };
}

/** Who has a session's id may speak in it, so it is told apart by what cannot be used for that. */
function unusable(session: string): string {
  return createHash("sha256").update(session).digest("hex").slice(0, 32);
}

function passed(tracer: Tracer, one: Running, request: HostRequest, tool: string | undefined): void {
  const name = tool === undefined ? methodLabel(request.method) : `${methodLabel(request.method)} ${tool}`;
  const named: Attributes = tool === undefined ? {} : { "gen_ai.tool.name": tool };
  one.attributes = { ...one.attributes, ...named };
  one.span.updateName(name);
  one.span.setAttributes(named);
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: one.attributes }, one.context);
  one.upstream = { span, began: performance.now() };
}

function end(span: Span, outcome: Outcome): void {
  const attributes = outcomeOf(outcome);
  span.setAttributes(attributes);
  if (attributes["error.type"] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Whether the server answered, or would have had to. */
function isServers({ is }: Outcome): boolean {
  return is !== "refused";
}

function outcomeOf(outcome: Outcome): Attributes {
  const verdict = { "countersign.outcome": outcome.is };
  switch (outcome.is) {
    case "result":
      return verdict;
    case "tool-error":
      return { ...verdict, "error.type": "tool_error" };
    case "error":
    case "refused": {
      const status = statusOf(outcome.code);
      return { ...verdict, "error.type": status, "rpc.response.status_code": status };
    }
    case "cancelled":
    case "lost":
    case "cut-off":
      return { ...verdict, "error.type": outcome.is };
  }
}

/** A server may make up any number of numbers. */
function statusOf(code: number | undefined): string {
  return code !== undefined && statuses.has(code) ? String(code) : "_OTHER";
}

const statuses: ReadonlySet<number> = new Set([
  ...[-32700, -32600, -32601, -32602, -32603, -32000, -32001, -32002, -32003, -32020, -32021, -32022, -32042],
]);

const protocols: ReadonlySet<string> = new Set(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]);

const carrierGetter: TextMapGetter<HostRequest> = {
  keys: () => ["traceparent", "tracestate"],
  get: (carrier, key) => {
    if (key === "traceparent") return carrier.traceparent;
    return key === "tracestate" ? carrier.tracestate : undefined;
  },
};
