import { memberOf } from "@countersign/core";
import type { Frame } from "../frame.ts";
import { type HeaderParam, paramHeaders } from "./header-params.ts";
import { headerValue } from "./header-value.ts";

/** The version that a message of the newer era names in itself; undefined for one of the older. */
export function versionIn(frame: Frame): string | undefined {
  if (frame.is !== "request" && frame.is !== "notification") return undefined;
  const version = memberOf(memberOf(frame.params, "_meta"), "io.modelcontextprotocol/protocolVersion");
  return version?.is === "string" ? version.value : undefined;
}

/**
 * The headers that a message of the newer era repeats (2026-07-28, Streamable HTTP): made of the very message that is sent,
 * so that no intermediary and no server can be told anything else than what is in it.
 */
export function bodyHeaders(
  frame: Extract<Frame, { is: "request" | "notification" }>,
  version: string,
  paramsOf: (tool: string) => readonly HeaderParam[],
): ReadonlyMap<string, string> {
  const headers = new Map([
    ["mcp-protocol-version", headerValue(version)],
    ["mcp-method", headerValue(frame.method)],
  ]);
  const name = nameIn(frame);
  if (name === undefined) return headers;
  headers.set("mcp-name", headerValue(name));
  if (frame.method !== "tools/call") return headers;
  const repeated = paramHeaders(paramsOf(name), memberOf(frame.params, "arguments"));
  return new Map([...headers, ...repeated]);
}

/** What a message says that it is about; undefined where it is about nothing that has a name. */
export function nameIn({ method, params }: Extract<Frame, { is: "request" | "notification" }>): string | undefined {
  const key = nameKeys.get(method);
  const name = key === undefined ? undefined : memberOf(params, key);
  return name?.is === "string" ? name.value : undefined;
}

/** Where in its params a request names what it is about. */
const nameKeys: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);
