import { visible } from "@countersign/core";
import { coalescedBy, wireEventKey } from "../coalesced.ts";
import type { GatewayEvent } from "./gateway-event.ts";
import type { LogFormat } from "./gateway-settings.ts";
import { type LogEntry, logEntry } from "./log-entry.ts";

export interface GatewayLogOptions {
  readonly format: LogFormat;
  /** Also what happens at every request, and what hosts and servers wrote, made visible. */
  readonly debug: boolean;
  readonly write: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface GatewayLog {
  readonly report: (event: GatewayEvent) => void;
  /** A line that a server wrote to stderr. */
  readonly stderr: (server: string, line: string) => void;
}

/** One line for each thing that happened; the same many times over at the 1st, 10th, 100th ... time of an hour. */
export function gatewayLog({ format, debug, write, now }: GatewayLogOptions): GatewayLog {
  const put = (entry: LogEntry, count: number) => {
    if (entry.level !== "debug" || debug) write(lineOf(entry, { format, debug, count, at: now() }));
  };
  const anew = () => coalescedBy(eventKey, (event: GatewayEvent, count) => put(logEntry(event), count));
  let said = anew();
  let since = now();
  return {
    report(event) {
      if (!debug && isRoutine(event)) return;
      if (isOnce(event)) {
        put(logEntry(event), 1);
        return;
      }
      if (now() - since > hour) {
        said = anew();
        since = now();
      }
      said(event);
    },
    stderr: (server, line) =>
      put({ level: "debug", event: "server-stderr", server, words: { line: line.slice(0, 2_000) } }, 1),
  };
}

const hour = 3_600_000;

/** What happens at every request, and is said to who asks for all. */
function isRoutine({ is }: GatewayEvent): boolean {
  return is.startsWith("request-") || is.startsWith("session-") || is.startsWith("stream-") || is === "ruled";
}

/** What happens seldom, or is coalesced where it comes from. */
function isOnce(event: GatewayEvent): boolean {
  const { is } = event;
  return isRoutine(event) || ["listening", "stopped", "ignored", "access", "ledger"].includes(is);
}

/** The principal is no part of it: there may be any number of them. */
function eventKey(event: GatewayEvent): string {
  const server = "server" in event ? event.server : "";
  if (event.is === "wire") return `${server} wire ${wireEventKey(event.event)}`;
  return `${server} ${event.is} ${"code" in event ? event.code : ""} ${"how" in event ? event.how : ""}`;
}

interface How {
  readonly format: LogFormat;
  readonly debug: boolean;
  readonly count: number;
  readonly at: number;
}

function lineOf(
  { level, event, server, principal, facts, words }: LogEntry,
  { format, debug, count, at }: How,
): string {
  const time = new Date(at).toISOString();
  const members = {
    ...(server === undefined ? {} : { server }),
    ...(principal === undefined ? {} : { principal }),
    ...facts,
    ...(debug ? words : {}),
    ...(count > 1 ? { times: count } : {}),
  };
  const safe = Object.entries(members).map(([key, value]) => [key, typeof value === "string" ? visible(value) : value]);
  if (format === "json") return JSON.stringify({ time, level, event, ...Object.fromEntries(safe) });
  const rest = safe.map(([key, value]) => `${key}=${shown(value)}`);
  return [time, level.padEnd(5), event, ...rest].join(" ");
}

function shown(value: string | number | undefined): string {
  return typeof value === "string" && !/^[\w.:/@+,$%&=~-]+$/.test(value) ? JSON.stringify(value) : String(value);
}
