import type { Address, ServerName } from "./address.ts";
import { type JsonObject, memberOf } from "./json.ts";
import { areTooLarge, type Found, type Offer, sortOut } from "./offer.ts";
import type { Reason } from "./verdict.ts";

/** The method of a request for a model's answer. */
const method = "sampling/createMessage";

/** The definitions that one sampling request carries. They are made at call time, so nobody has approved them. */
export type Sampling = Pick<Offer, "server" | "definitions" | "malformed">;

/** What the gates hold against one definition of a request. */
export interface Objection {
  readonly address: Address;
  readonly reasons: readonly Reason[];
}

/**
 * Each of its `tools` is a definition of kind `sampled-tool`, its `systemPrompt` one of kind `instructions`, named by the
 * method. Undefined where `tools` are no list, or all of it is more than an offer may be.
 *
 * @param text what the offsets of `params` count in
 */
export function readSampling(server: ServerName, text: string, params: JsonObject): Sampling | undefined {
  const found: Found[] = [];
  const prompt = memberOf(params, "systemPrompt");
  if (prompt !== undefined) {
    found.push({ kind: "instructions", name: method, text: text.slice(prompt.start, prompt.end), json: prompt });
  }
  const tools = memberOf(params, "tools");
  if (tools !== undefined && tools.is !== "array") return undefined;
  for (const json of tools?.items ?? []) {
    const name = memberOf(json, "name");
    found.push({
      kind: "sampled-tool",
      name: name?.is === "string" ? name.value : undefined,
      text: text.slice(json.start, json.end),
      json,
    });
  }
  if (areTooLarge(found.map(({ json }) => ({ text, result: json })))) return undefined;
  return { server, ...sortOut(server, found) };
}
