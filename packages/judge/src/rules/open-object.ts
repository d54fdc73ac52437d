import { below, type Json, type JsonObject, memberOf } from "@countersign/core";
import type { Claim, Rule, Subject } from "../rule.ts";
import { isAnything, isFalse, type Openness, opennessOf, opensByPattern } from "../schema/openness.ts";
import type { SchemaDocument } from "../schema/schema-document.ts";

/**
 * What no property declares, nobody has reviewed: prose elsewhere can name the argument and say what to put in it.
 * Absence of the keyword is no finding, because an object left open by absence is closed at the call. A word that only
 * seems to close an object is one: whoever reads it stops looking.
 */
export const openObject: Rule = {
  id: "open-object",
  gate: "schema",
  effect: "note",
  confidence: "medium",
  summary: "Allows arguments that it does not declare, by word, or seems to forbid them and does not",
  taxa: ["OWASP-MCP02", "OWASP-MCP03", "AML.T0086", "SAFE-T1501"],
  *inspect(subject) {
    const sink = sinkOf(subject);
    for (const document of subject.schemas) {
      if (document.at !== "/inputSchema") continue;
      const openness = opennessOf(document);
      const arguments_ = argumentObjects(document);
      const values = valuesOf(document, arguments_);
      for (const { json, at } of document.schemas) {
        if (json.is !== "object") continue;
        for (const { key, value } of json.members) {
          const seeming = seemingClosure(json, key, value, openness, values.get(json) ?? json);
          if (seeming === undefined && !isOpen(json, key, value, openness)) continue;
          const claim: Claim = { at: below(at, key), part: "leaf" };
          const data = seeming === undefined ? {} : { closes: "nothing", because: seeming };
          // Only the arguments themselves can hold one more argument; a map further in is one that was declared.
          if (sink !== undefined && arguments_.has(json)) {
            yield {
              ...claim,
              effect: "ask",
              data: { ...data, sink, inferred: "from the tool's name and description" },
            };
          } else yield { ...claim, confidence: "low", data };
        }
      }
    }
  },
};

/** The schemas that apply to the arguments object: the root, what it combines, and what those refer to. */
function argumentObjects({ schemas, references }: SchemaDocument): ReadonlySet<Json> {
  const next = new Map<Json, Json[]>(schemas.map(({ json }) => [json, []]));
  for (const { json, parent, sameValue } of schemas)
    if (parent !== undefined && sameValue) next.get(parent.json)?.push(json);
  for (const { from, target } of references) if (typeof target !== "string") next.get(from.json)?.push(target.json);
  const reached = new Set<Json>(schemas.slice(0, 1).map(({ json }) => json));
  // A set iterates over what is added to it on the way.
  for (const json of reached) for (const one of next.get(json) ?? []) reached.add(one);
  return reached;
}

/** The outermost schema that applies to the same value as each; for the arguments the document, whatever the way there. */
function valuesOf({ json: document, schemas }: SchemaDocument, arguments_: ReadonlySet<Json>): ReadonlyMap<Json, Json> {
  const outermost = new Map<Json, Json>();
  for (const { json, parent, sameValue } of schemas) {
    const around = parent !== undefined && sameValue ? outermost.get(parent.json) : undefined;
    outermost.set(json, arguments_.has(json) ? document : (around ?? json));
  }
  return outermost;
}

function isOpen(schema: JsonObject, key: string, value: Json, openness: Openness): boolean {
  switch (key) {
    case "additionalProperties":
    case "unevaluatedProperties":
      return isAnything(value) && openness.ignored(schema, key) === undefined;
    case "patternProperties":
      return opensByPattern(value) && openness.ignored(schema, key) === undefined;
    default:
      return false;
  }
}

/** Why a word that forbids what is not declared does not forbid it. */
function seemingClosure(
  schema: JsonObject,
  key: string,
  value: Json,
  { isClosed, ignored }: Openness,
  whole: Json,
): string | undefined {
  if ((key !== "additionalProperties" && key !== "unevaluatedProperties") || !isFalse(value)) return undefined;
  if (isClosed(whole)) return undefined;
  return ignored(schema, key) ?? (isClosed(schema) ? "holds-in-one-branch" : "dealt-with-elsewhere");
}

/**
 * The first verb of the tool's name, or the first word of its description, if it changes or sends something. No hint of
 * the server's is believed here: a hostile one would deny it.
 */
function sinkOf({ address, json }: Subject): string | undefined {
  const words = address.name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);
  const verb = words.find((word) => sinks.has(word) || sources.has(word));
  if (verb !== undefined && sinks.has(verb)) return verb;
  const description = memberOf(json, "description");
  const first = description?.is === "string" ? /^[^a-z]{0,20}([a-z]{1,30})/i.exec(description.value)?.[1] : undefined;
  const word = first?.toLowerCase() ?? "";
  return [word, word.replace(/s$/, ""), word.replace(/es$/, "")].find((form) => sinks.has(form));
}

const sinks: ReadonlySet<string> = new Set(
  "send email post publish upload push write save store put create insert add append update set edit modify patch replace rename move copy delete remove drop purge clear execute exec run eval invoke spawn install deploy share invite reply forward submit transfer pay merge commit approve cancel close archive import notify tweet".split(
    " ",
  ),
);

const sources: ReadonlySet<string> = new Set(
  "get list read search find fetch show describe count view check lookup query inspect download export".split(" "),
);
