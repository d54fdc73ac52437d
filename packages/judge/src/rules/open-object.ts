import { below, type Json, memberOf } from "@countersign/core";
import type { Rule, Subject } from "../rule.ts";
import type { SchemaDocument } from "../schema/schema-document.ts";

/**
 * What no property declares, nobody has reviewed: prose elsewhere can name the argument and say what to put in it.
 * Absence of the keyword is no finding, because an object left open by absence is closed at the call.
 */
export const openObject: Rule = {
  id: "open-object",
  gate: "schema",
  effect: "note",
  confidence: "medium",
  summary: "Allows arguments that it does not declare, by word",
  taxa: ["OWASP-MCP02", "OWASP-MCP03", "AML.T0086", "SAFE-T1501"],
  *inspect(subject) {
    const sink = sinkOf(subject);
    for (const document of subject.schemas) {
      if (document.at !== "/inputSchema") continue;
      const arguments_ = argumentObjects(document);
      for (const schema of document.schemas) {
        if (schema.json.is !== "object") continue;
        for (const { key, value } of schema.json.members) {
          if (!isOpen(key, value)) continue;
          const where = below(schema.at, key);
          // Only the arguments themselves can hold one more argument; a map further in is one that was declared.
          if (sink !== undefined && arguments_.has(schema.json)) {
            yield {
              at: where,
              part: "leaf",
              effect: "ask",
              data: { sink, inferred: "from the tool's name and description" },
            };
          } else yield { at: where, part: "leaf", confidence: "low" };
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

function isOpen(key: string, value: Json): boolean {
  switch (key) {
    case "additionalProperties":
    case "unevaluatedProperties":
      return isAnything(value);
    case "patternProperties":
      return (
        value.is === "object" && value.members.some((member) => matchesAll.test(member.key) && isAnything(member.value))
      );
    default:
      return false;
  }
}

/** `true`, or an object whose keys are all annotations. */
function isAnything(json: Json): boolean {
  if (json.is === "boolean") return json.value;
  return json.is === "object" && json.members.every(({ key }) => annotations.has(key));
}

const annotations: ReadonlySet<string> = new Set(["title", "description", "$comment", "examples", "default"]);
const matchesAll = /^\^?(?:|\.\*|\.\+|\(\.\*\)|\[\\s\\S\]\*)\$?$/;

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
