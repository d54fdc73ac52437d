import {
  foldedKey,
  type Json,
  memberOf,
  type Page,
  readSampling,
  type Sampling,
  type ServerName,
} from "@countersign/core";
import { nameAsker } from "./elicitation.ts";
import type { Frame } from "./frame.ts";
import { looseKeyAmong } from "./loose-key.ts";
import { serverMethods } from "./methods.ts";
import type { Splice } from "./splice.ts";

/** What becomes of what a server asks of a host, before anybody has judged what it carries. */
export type Reading =
  | { readonly is: "passes"; readonly splices: readonly Splice[] }
  /** It passes as it is, if the gates have nothing against the definitions in it. */
  | { readonly is: "sampling"; readonly sampling: Sampling; readonly method: string }
  | { readonly is: "refused"; readonly code: "NOT_ALLOWED" | "MALFORMED" | "IMITATES"; readonly method: string };

export interface AskOptions {
  readonly server: ServerName;
  /** The methods that the operator lets pass beside those that always do. */
  readonly allow: ReadonlySet<string>;
}

/** @param text what the offsets of `params` count in */
export function readAsk(method: string, params: Json | undefined, text: string, options: AskOptions): Reading {
  const { server, allow } = options;
  switch (serverMethods.get(method)) {
    case "bare":
      return untouched;
    case "elicitation": {
      const elicited = nameAsker(params, server);
      if (elicited.is === "refused") return { ...elicited, method };
      return { is: "passes", splices: [elicited.splice] };
    }
    case "sampling": {
      if (!allow.has(method)) return { is: "refused", code: "NOT_ALLOWED", method };
      const sampling =
        params?.is === "object" && looseSampling(params) === undefined ? readSampling(server, text, params) : undefined;
      return sampling === undefined
        ? { is: "refused", code: "MALFORMED", method }
        : { is: "sampling", sampling, method };
    }
    case undefined:
      return allow.has(method) ? untouched : { is: "refused", code: "NOT_ALLOWED", method };
  }
}

const untouched: Reading = { is: "passes", splices: [] };

/** Whether a result asks anything of the host, in any spelling: since 2026-07-28 servers ask so, and in no other way. */
export function asksIn(result: Json): boolean {
  return askersIn(result).length > 0;
}

/** Whether a result only asks: it answers nothing, so that nothing of it has to be what was approved. */
export function onlyAsks(result: Json): boolean {
  return asksIn(result) && result.is === "object" && result.members.every(({ key }) => asking.has(key));
}

const asking: ReadonlySet<string> = new Set(["resultType", "inputRequests", "requestState", "_meta"]);

/** Every request that a result carries. Its `requestState` and the names of the requests are the server's own business. */
export function readAsks({ result, text }: Page, options: AskOptions): readonly Reading[] {
  return askersIn(result).flatMap((one) => readAsksOf(one, text, options));
}

function readAsksOf(result: Json, text: string, options: AskOptions): readonly Reading[] {
  const requests = memberOf(result, "inputRequests");
  if (requests?.is !== "object" || looseAsking(result) !== undefined) return [malformed];
  return requests.members.map(({ value }): Reading => {
    const method = memberOf(value, "method");
    if (method?.is !== "string" || looseAsked(value) !== undefined) return malformed;
    return readAsk(method.value, memberOf(value, "params"), text, options);
  });
}

/** What asks: the result, and, of a task (2026-07-28, `tasks/get`), the result that is within it. */
function askersIn(result: Json): readonly Json[] {
  return [result, ...within(result)].filter(asksItself);
}

function within(result: Json): readonly Json[] {
  if (result.is !== "object") return [];
  return result.members.flatMap(({ key, value }) => (foldedKey(key) === "result" ? [value] : []));
}

function asksItself(result: Json): boolean {
  return result.is === "object" && result.members.some(({ key }) => foldedKey(key) === foldedKey("inputRequests"));
}

const looseSampling = looseKeyAmong("systemPrompt", "tools");
const looseAsking = looseKeyAmong("inputRequests");
const looseAsked = looseKeyAmong("method", "params");

const malformed: Extract<Reading, { is: "refused" }> = { is: "refused", code: "MALFORMED", method: "inputRequests" };

/** An error may ask for elicitations before the request is sent again (`URLElicitationRequired`, 2025-11-25). */
export function readAsksInError(
  { error }: Extract<Frame, { is: "error" }>,
  { server }: AskOptions,
): Exclude<Reading, { is: "sampling" }> {
  const splices: Splice[] = [];
  for (const { key: outer, value: data } of error.is === "object" ? error.members : []) {
    if (foldedKey(outer) !== "data" || data.is !== "object") continue;
    for (const { key, value } of data.members) {
      if (foldedKey(key) !== "elicitations") continue;
      if (outer !== "data" || key !== "elicitations" || value.is !== "array") return malformed;
      for (const item of value.items) {
        const elicited = nameAsker(item, server);
        if (elicited.is === "refused") return { ...elicited, method: "elicitation/create" };
        splices.push(elicited.splice);
      }
    }
  }
  return { is: "passes", splices };
}
