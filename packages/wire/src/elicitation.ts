import { type Json, memberOf, type ServerName, visible } from "@countersign/core";
import { looseKeyAmong } from "./loose-key.ts";
import type { Splice } from "./splice.ts";

/** `MALFORMED`: readers would not agree on what is shown. `IMITATES`: a part of it could hide who asks, or say otherwise. */
export type Elicited =
  | { readonly is: "named"; readonly splice: Splice }
  | { readonly is: "refused"; readonly code: "MALFORMED" | "IMITATES" };

/**
 * What a person is asked, with the operator's name of the server before it. A host shows many servers' questions in one
 * place, and a server chooses its own name and its own words.
 *
 * @param params of `elicitation/create`
 */
export function nameAsker(params: Json | undefined, server: ServerName): Elicited {
  const message = memberOf(params, "message");
  if (params?.is !== "object" || message?.is !== "string" || !isKnownShape(params)) {
    return { is: "refused", code: "MALFORMED" };
  }
  const others = params.members.filter(({ key }) => key !== "message" && key !== "_meta");
  if (others.some(({ key, value }) => couldHide.test(key) || holdsWhatCouldHide(value))) {
    return { is: "refused", code: "IMITATES" };
  }
  const text = JSON.stringify(`⟦server ${server} asks⟧ ${message.value.replace(allThatCouldHide, visible)}`);
  return { is: "named", splice: { start: message.start, end: message.end, text } };
}

function isKnownShape(params: Extract<Json, { is: "object" }>): boolean {
  if (looseKey(params) !== undefined) return false;
  const mode = memberOf(params, "mode");
  if (mode === undefined || (mode.is === "string" && mode.value === "form")) {
    return memberOf(params, "requestedSchema")?.is === "object";
  }
  return mode.is === "string" && mode.value === "url" && memberOf(params, "url")?.is === "string";
}

const looseKey = looseKeyAmong("mode", "message", "requestedSchema", "url", "elicitationId");

/**
 * The brackets of our mark, which the server therefore cannot write; and what makes a terminal or a page show something
 * else than what stands there: controls that move the cursor or erase, and those that turn the direction of reading.
 */
const couldHide = /[⟦⟧\u202A-\u202E\u2066-\u2069]|\r(?!\n)|(?![\t\n\r])\p{Cc}/u;
const allThatCouldHide = new RegExp(couldHide, "gu");

/** Values of a form are data that come back, so they cannot be rewritten as the message is. */
function holdsWhatCouldHide(json: Json): boolean {
  switch (json.is) {
    case "string":
      return couldHide.test(json.value);
    case "array":
      return json.items.some(holdsWhatCouldHide);
    case "object":
      return json.members.some(({ key, value }) => couldHide.test(key) || holdsWhatCouldHide(value));
    case "null":
    case "boolean":
    case "number":
      return false;
  }
}
