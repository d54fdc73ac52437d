import { type Json, memberOf, root } from "@countersign/core";
import { mostSteps } from "./check-arguments.ts";
import { Evaluation } from "./evaluation.ts";
import { foldersOf, isFolder } from "./folders-of.ts";
import type { Frame, Keyword } from "./keyword.ts";
import { objectKeywords } from "./object-keywords.ts";
import { pathFault } from "./path-fault.ts";
import type { Violation } from "./violation.ts";

/**
 * Checks the arguments of a call against what the operator narrowed them to: a JSON Schema with two keywords more.
 *
 * - `pathUnder`: a folder, or an array of folders: the value is a path to one of them or below it, by its letters.
 * - `pathBase`, beside it: what a relative path starts from.
 *
 * What `properties` speaks of has to be there, so that leaving an argument out is no way around it: except where its
 * schema is `false`, `true` or empty, and, among the arguments themselves, where the approved schema has a `default` that
 * is narrow enough. `narrow` was checked with `narrowFaults`.
 *
 * @param approved the tool's approved input schema
 */
export function narrowArguments(narrow: Json, args: Json, approved: Json): readonly Violation[] {
  if (args.is !== "object") return [{ code: "FAILED", keyword: "type", at: root, schema: root }];
  return new Evaluation(narrow, { steps: mostSteps, extra: keywordsFor(narrow, approved) }).violations(args);
}

function keywordsFor(narrow: Json, approved: Json): ReadonlyMap<string, Keyword> {
  return new Map([
    ["pathUnder", pathUnder],
    ["properties", presentProperties(narrow, approved)],
  ]);
}

const pathUnder: Keyword = (frame, argument, keyword) => {
  const folders = foldersOf(argument);
  const base = frame.keywords.get("pathBase");
  if (folders === undefined || (base !== undefined && !isFolder(base))) {
    return frame.run.unsupported(frame, keyword, "malformed");
  }
  const { value } = frame;
  const fault =
    value.is === "string"
      ? pathFault(value.value, { folders, base: base?.is === "string" ? base.value : undefined })
      : "not-text";
  return fault === undefined || frame.run.fail(frame, keyword, frame.at, fault);
};

function presentProperties(narrow: Json, approved: Json): Keyword {
  const inner = new Map(objectKeywords).get("properties");
  if (inner === undefined) throw new TypeError("there is no keyword properties");
  return (frame, argument, keyword) => {
    const holds = inner(frame, argument, keyword);
    if (argument.is !== "object" || frame.value.is !== "object") return holds;
    const present = frame.run.indexOf(frame.value);
    const missing = argument.members.filter(
      ({ key, value }) =>
        narrows(value) &&
        !present.has(key) &&
        !(frame.schema.json === narrow && hasSafeDefault(frame, key, value, approved)),
    );
    for (const { key } of missing) frame.run.fail(frame, "required", { parent: frame.at, token: key });
    return holds && missing.length === 0;
  };
}

/** A schema that forbids the argument, or says nothing about it, does not ask for it. */
function narrows(schema: Json): boolean {
  return schema.is === "object" && schema.members.length > 0;
}

/** What the server takes for an argument that is left out, as far as the approved schema tells. */
function hasSafeDefault(frame: Frame, name: string, schema: Json, approved: Json): boolean {
  const given = memberOf(memberOf(memberOf(approved, "properties"), name), "default");
  if (given === undefined) return false;
  const at = { parent: frame.at, token: name };
  return frame.run.tryOn(frame, { json: schema, at: root }, given, at);
}
