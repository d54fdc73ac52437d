import type { WireEvent } from "@countersign/wire";
import type { AccessEvent } from "../access/access-event.ts";
import type { LedgerEvent } from "../ledger-event.ts";
import type { GatewayEvent, HostRequest } from "./gateway-event.ts";

/** What one line of the log says, beside the time. No member is a text of a server's, save `words`; nothing is made visible yet. */
export interface LogEntry {
  readonly level: Level;
  /** From a closed set. */
  readonly event: string;
  readonly server?: string;
  readonly principal?: string;
  readonly facts?: Facts;
  /** What hosts and servers wrote: for who asks for it. */
  readonly words?: Facts;
}

export type Level = "debug" | "info" | "warn" | "error";

/** The keys are ours. */
type Facts = Readonly<Record<string, string | number>>;

export function logEntry(event: GatewayEvent): LogEntry {
  switch (event.is) {
    case "listening":
      return { level: "info", event: event.is, facts: { at: event.at } };
    case "stopped":
      return { level: "info", event: event.is };
    case "ignored": {
      const { because, path, settings } = event;
      const facts = { because, config: path, settings: start(settings.join(", ")) };
      return { level: "warn", event: "project-settings-ignored", facts };
    }
    case "access":
      return accessEntry(event.event);
    case "turned-away":
      return { level: "warn", event: event.is, server: event.server, facts: { code: event.code } };
    case "session-opened":
      return { level: "debug", event: event.is, server: event.server, principal: event.principal };
    case "session-closed":
      return {
        level: "debug",
        event: event.is,
        server: event.server,
        principal: event.principal,
        facts: { by: event.by },
      };
    case "stream-opened":
    case "stream-closed":
      return { level: "debug", event: event.is, server: event.server };
    case "request-began":
      return { level: "debug", event: event.is, ...whose(event.request) };
    case "request-passed":
      return { level: "debug", event: event.is, ...whose(event.request) };
    case "request-ended": {
      const seconds = Math.round(performance.now() - event.request.began) / 1_000;
      return {
        level: "debug",
        event: event.is,
        ...whose(event.request),
        facts: { outcome: event.outcome.is, seconds },
      };
    }
    case "child-started":
      return { level: "info", event: event.is, server: event.server };
    case "child-ended": {
      const level = event.how === "stopped" ? "info" : "warn";
      return { level, event: event.is, server: event.server, facts: { how: event.how } };
    }
    case "child-backs-off":
      return { level: "warn", event: event.is, server: event.server, facts: { seconds: event.seconds } };
    case "launch-held":
      return { level: "error", event: event.is, server: event.server, facts: { review: event.review } };
    case "unreachable": {
      // The operator's own config: names of variables, never their values.
      const why = event.problems.map(
        ({ at, code, variable }) => `${at} ${code}${variable === undefined ? "" : ` ${variable}`}`,
      );
      return { level: "error", event: event.is, server: event.server, facts: { why: why.join(", ") } };
    }
    case "too-many-principals":
      return { level: "warn", event: event.is, server: event.server };
    case "upstream-failed":
      return { level: "warn", event: event.is, server: event.server, facts: { code: event.code } };
    case "ruled":
      return {
        level: "debug",
        event: event.is,
        server: event.server,
        facts: { source: event.source, ...event.verdicts },
      };
    case "ledger":
      return { server: event.server, ...ledgerEntry(event.event) };
    case "wire":
      return { server: event.server, principal: event.principal, ...wireEntry(event.event) };
  }
}

function ledgerEntry(event: LedgerEvent): LogEntry {
  switch (event.is) {
    case "bypass-began":
      return { level: "warn", event: event.is, facts: { until: new Date(event.bypass.until).toISOString() } };
    case "bypass-ended":
      return { level: "info", event: event.is };
    case "ledger-trouble":
      return { level: "error", event: event.is, facts: { error: start(event.error) } };
  }
}

function accessEntry(event: AccessEvent): LogEntry {
  switch (event.is) {
    case "refused": {
      const { code, address, count, server } = event;
      return {
        level: "warn",
        event: "access-refused",
        ...(server === undefined ? {} : { server }),
        facts: { code, address, count },
      };
    }
    case "cut-off":
      return { level: "info", event: "access-cut-off", facts: { because: event.because, streams: event.streams } };
    case "trouble":
      return { level: "error", event: "access-trouble", facts: { error: start(event.error) } };
    case "certificate-loaded":
      return { level: "info", event: event.is, facts: { until: event.until } };
    case "certificate-refused":
      return { level: "error", event: event.is, facts: { error: start(event.error) } };
    case "draining":
      return { level: "info", event: event.is, facts: { open: event.open } };
    case "drained":
      return { level: event.cut === 0 ? "info" : "warn", event: event.is, facts: { cut: event.cut } };
  }
}

function wireEntry(event: WireEvent): LogEntry {
  switch (event.is) {
    case "answered":
    case "listed":
      return { level: "debug", event: event.is };
    case "verified":
      return { level: "debug", event: event.is, facts: { source: event.source, by: event.by } };
    case "lists-late":
      return { level: "warn", event: event.is, facts: { sources: event.sources.join(","), seconds: event.seconds } };
    case "no-answer-yet":
      return {
        level: "warn",
        event: event.is,
        facts: { seconds: event.seconds },
        words: { method: start(event.method) },
      };
    case "frame-refused":
      return { level: "warn", event: event.is, facts: { from: event.from, code: event.code, at: event.at } };
    case "unasked-answer":
      return { level: "warn", event: event.is, facts: { from: event.from } };
    case "cut-off":
      return { level: "warn", event: "answer-cut-off", facts: { code: event.code } };
    case "method-refused":
      return { level: "warn", event: event.is, facts: { from: event.from }, words: { method: start(event.method) } };
    case "ask-refused":
      return { level: "warn", event: event.is, facts: { code: event.code }, words: { method: start(event.method) } };
    case "not-approved-yet":
      return { level: "warn", event: event.is, words: { method: start(event.method) } };
    case "not-ready-yet":
      return { level: "warn", event: event.is };
    case "list-failed":
      return { level: "warn", event: event.is, facts: { source: event.source, code: event.code } };
    case "use-refused":
    case "use-let-through": {
      const { kind, code, review, name } = event;
      return { level: "warn", event: event.is, facts: { kind, code, review }, words: { name: start(name) } };
    }
    case "withheld":
    case "let-through":
      return { level: "warn", event: event.is, facts: { count: event.count } };
    case "broken":
      return { level: "error", event: event.is, facts: { what: start(event.what), error: start(event.error) } };
  }
}

function whose({ server, principal, method }: HostRequest): Pick<LogEntry, "server" | "principal" | "words"> {
  return { server, principal, words: { method: start(method) } };
}

function start(text: string): string {
  return text.slice(0, 200);
}
