import type { Json } from "@countersign/core";
import { type Frame, type Keyword, type Schema, under } from "./keyword.ts";

const allOf: Keyword = (frame, argument, keyword) =>
  combined(frame, argument, keyword, (branches) => {
    let holds = true;
    for (const branch of branches) holds = frame.run.applyHere(frame, branch) && holds;
    return holds;
  });

/** Every branch is tried, because each that holds can deal with a property of its own. */
const anyOf: Keyword = (frame, argument, keyword) =>
  combined(frame, argument, keyword, (branches) => {
    const holding = branches.filter((branch) => frame.run.tryHere(frame, branch)).length;
    return holding > 0 || frame.run.fail(frame, keyword);
  });

const oneOf: Keyword = (frame, argument, keyword) =>
  combined(frame, argument, keyword, (branches) => {
    const holding = branches.filter((branch) => frame.run.tryHere(frame, branch)).length;
    return holding === 1 || frame.run.fail(frame, keyword);
  });

function combined(
  frame: Frame,
  argument: Json,
  keyword: string,
  holds: (branches: readonly Schema[]) => boolean,
): boolean {
  if (argument.is !== "array") return frame.run.unsupported(frame, keyword, "malformed");
  return holds(argument.items.map((json, index) => under(frame.schema, json, keyword, index)));
}

/** What is not to hold deals with nothing. */
const not: Keyword = (frame, argument, keyword) => {
  const { run, value, at } = frame;
  return !run.tryOn(frame, under(frame.schema, argument, keyword), value, at) || run.fail(frame, keyword);
};

const condition: Keyword = (frame, argument, keyword) => {
  const holds = frame.run.tryHere(frame, under(frame.schema, argument, keyword));
  const next = holds ? "then" : "else";
  const json = frame.keywords.get(next);
  return json === undefined || frame.run.applyHere(frame, under(frame.schema, json, next));
};

const reference: Keyword = (frame, _, keyword) => {
  const target = frame.run.reference(frame, keyword);
  if (typeof target === "string") return frame.run.unsupported(frame, keyword, target);
  return frame.run.applyHere(frame, target);
};

export const combiningKeywords: readonly (readonly [string, Keyword])[] = [
  ["$ref", reference],
  ["$dynamicRef", reference],
  ["$recursiveRef", reference],
  ["allOf", allOf],
  ["anyOf", anyOf],
  ["oneOf", oneOf],
  ["not", not],
  ["if", condition],
];
