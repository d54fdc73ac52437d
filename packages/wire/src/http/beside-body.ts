import type { IncomingMessage } from "node:http";
import { memberOf } from "@countersign/core";
import type { Frame } from "../frame.ts";
import type { Beside } from "../host-queues.ts";
import { nameIn, versionIn } from "./body-headers.ts";
import { declaredParams } from "./declared-params.ts";
import { paramMismatch } from "./header-params.ts";
import { headerText } from "./header-value.ts";
import type { Era } from "./host-connection.ts";

/** Of which era a message is: the body says it, and the header only for what says nothing itself. */
export function eraOf(frame: Frame, version: string | undefined): Era {
  if (frame.is === "request" || frame.is === "notification") {
    const claimed = versionIn(frame);
    if (claimed !== undefined) return revisions.has(claimed) ? "sessions" : "stateless";
    if (frame.is === "request" && frame.method === "initialize") return "sessions";
  }
  return isStateless(version) ? "stateless" : "sessions";
}

/** Revisions are named by their days. */
export function isStateless(version: string | undefined): boolean {
  return version !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(version) && version >= "2026-07-28";
}

/** The revisions that know sessions. */
export const revisions: ReadonlySet<string> = new Set(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]);

/** What the revisions before had, and the newer has not. */
const onlyInSessions: ReadonlySet<string> = new Set([
  ...["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"],
  ...["tasks/result", "tasks/list"],
]);

interface HeadersRefusal {
  readonly code: number;
  readonly message: string;
}

/** What a request of the newer era repeats in headers has to be what its body says. */
export function headersRefusal(
  frame: Extract<Frame, { is: "request" | "notification" }>,
  version: string | undefined,
  header: (name: string) => string | undefined,
): HeadersRefusal | undefined {
  const claimed = versionIn(frame);
  const isRequest = frame.is === "request";
  const capabilities = memberOf(memberOf(frame.params, "_meta"), "io.modelcontextprotocol/clientCapabilities");
  if (isRequest && (claimed === undefined || capabilities?.is !== "object"))
    return { code: -32602, message: "needs protocolVersion and clientCapabilities in _meta of every request" };
  if (isRequest && onlyInSessions.has(frame.method))
    return { code: -32601, message: "does not know this method in this revision" };
  if (claimed !== undefined && version?.trim() !== claimed && (isRequest || version !== undefined))
    return mismatch("MCP-Protocol-Version");
  const method = header("mcp-method");
  if (method !== frame.method && (isRequest || method !== undefined)) return mismatch("Mcp-Method");
  const name = nameIn(frame);
  const named = header("mcp-name");
  if (isRequest && name !== undefined && (named === undefined || headerText(named) !== name))
    return mismatch("Mcp-Name");
  return undefined;
}

function mismatch(header: string): HeadersRefusal {
  return { code: -32020, message: `refused this message: its header ${header} is missing or says another thing` };
}

export function paramsBeside(frame: Extract<Frame, { is: "request" }>, request: IncomingMessage): Beside | undefined {
  if (frame.method !== "tools/call") return undefined;
  return ({ rendering }) => {
    const params = declaredParams(rendering);
    if (params.length === 0) return undefined;
    const wrong = paramMismatch(params, memberOf(frame.params, "arguments"), (name) => headerOf(request, name));
    return wrong === undefined ? undefined : mismatch(wrong);
  };
}

export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}
