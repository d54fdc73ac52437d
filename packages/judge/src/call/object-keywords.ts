import type { Json, Member } from "@countersign/core";
import { type Frame, type Keyword, under } from "./keyword.ts";
import { measured } from "./value-keywords.ts";

const properties: Keyword = (frame, argument, keyword) => {
  if (argument.is !== "object") return frame.run.unsupported(frame, keyword, "malformed");
  const declared = frame.run.indexOf(argument);
  return everyMember(frame, ({ key, value }) => {
    const json = declared.get(key);
    return json === undefined || applyTo(frame, { key, value }, json, keyword, key);
  });
};

const patternProperties: Keyword = (frame, argument, keyword) => {
  if (argument.is !== "object") return frame.run.unsupported(frame, keyword, "malformed");
  let holds = true;
  for (const { key: written, value: json } of argument.members) {
    holds =
      everyMember(
        frame,
        (member) =>
          !frame.run.matches(frame, keyword, json, member.key, written) ||
          applyTo(frame, member, json, keyword, written),
      ) && holds;
  }
  return holds;
};

const additionalProperties: Keyword = (frame, argument, keyword) => {
  const named = frame.keywords.get("properties");
  const declared = named?.is === "object" ? frame.run.indexOf(named) : undefined;
  const patterned = frame.keywords.get("patternProperties");
  const patterns = patterned?.is === "object" ? patterned.members : [];
  return everyMember(frame, (member) => {
    const isDeclared =
      declared?.has(member.key) ||
      patterns.some(({ key, value }) => frame.run.matches(frame, "patternProperties", value, member.key, key));
    return isDeclared || applyTo(frame, member, argument, keyword);
  });
};

const unevaluatedProperties: Keyword = (frame, argument, keyword) =>
  everyMember(frame, (member) => frame.seen?.names.has(member.key) || applyTo(frame, member, argument, keyword));

function everyMember(frame: Frame, holdsFor: (member: Member) => boolean): boolean {
  if (frame.value.is !== "object") return true;
  let holds = true;
  for (const member of frame.value.members) {
    frame.run.step(frame, 1);
    holds = holdsFor(member) && holds;
  }
  return holds;
}

function applyTo(
  frame: Frame,
  { key, value }: Pick<Member, "key" | "value">,
  json: Json,
  ...tokens: string[]
): boolean {
  frame.seen?.names.add(key);
  return frame.run.apply(frame, under(frame.schema, json, ...tokens), value, { parent: frame.at, token: key });
}

const propertyNames: Keyword = (frame, argument, keyword) => {
  const schema = under(frame.schema, argument, keyword);
  return everyMember(frame, ({ key, start }) => {
    const name: Json = { is: "string", start, end: start + key.length, value: key };
    const at = { parent: frame.at, token: key };
    return frame.run.tryOn(frame, schema, name, at) || frame.run.fail(frame, keyword, at);
  });
};

const required: Keyword = (frame, argument, keyword) => {
  const names = namesOf(argument);
  if (names === undefined) return frame.run.unsupported(frame, keyword, "malformed");
  return hasAll(frame, names, keyword);
};

const dependentRequired: Keyword = (frame, argument, keyword) => {
  if (argument.is !== "object") return frame.run.unsupported(frame, keyword, "malformed");
  return argument.members.every(({ key, value }) => {
    const names = namesOf(value);
    if (names === undefined) return frame.run.unsupported(frame, keyword, "malformed");
    return !has(frame, key) || hasAll(frame, names, keyword);
  });
};

const dependentSchemas: Keyword = (frame, argument, keyword) => {
  if (argument.is !== "object") return frame.run.unsupported(frame, keyword, "malformed");
  return argument.members.every(
    ({ key, value }) => !has(frame, key) || frame.run.applyHere(frame, under(frame.schema, value, keyword, key)),
  );
};

/** Until draft-07 one keyword for both. */
const dependencies: Keyword = (frame, argument, keyword) => {
  if (argument.is !== "object") return frame.run.unsupported(frame, keyword, "malformed");
  return argument.members.every(({ key, value }) => {
    const names = value.is === "array" ? namesOf(value) : undefined;
    if (value.is === "array" && names === undefined) return frame.run.unsupported(frame, keyword, "malformed");
    if (!has(frame, key)) return true;
    if (names !== undefined) return hasAll(frame, names, keyword);
    return frame.run.applyHere(frame, under(frame.schema, value, keyword, key));
  });
};

function has({ value, run }: Frame, name: string): boolean {
  return value.is === "object" && run.indexOf(value).has(name);
}

function hasAll(frame: Frame, names: readonly string[], keyword: string): boolean {
  if (frame.value.is !== "object") return true;
  let holds = true;
  frame.run.step(frame, names.length);
  for (const name of names) {
    if (!has(frame, name)) holds = frame.run.fail(frame, keyword, { parent: frame.at, token: name });
  }
  return holds;
}

function namesOf(argument: Json): readonly string[] | undefined {
  if (argument.is !== "array") return undefined;
  const names = argument.items.flatMap((item) => (item.is === "string" ? [item.value] : []));
  return names.length === argument.items.length ? names : undefined;
}

const minProperties = measured(memberCount, (count, bound) => count >= bound);
const maxProperties = measured(memberCount, (count, bound) => count <= bound);

function memberCount({ value }: Frame): number | undefined {
  return value.is === "object" ? value.members.length : undefined;
}

export const objectKeywords: readonly (readonly [string, Keyword])[] = [
  ["properties", properties],
  ["patternProperties", patternProperties],
  ["additionalProperties", additionalProperties],
  ["propertyNames", propertyNames],
  ["required", required],
  ["dependentRequired", dependentRequired],
  ["dependentSchemas", dependentSchemas],
  ["dependencies", dependencies],
  ["minProperties", minProperties],
  ["maxProperties", maxProperties],
];

export const lastObjectKeywords: readonly (readonly [string, Keyword])[] = [
  ["unevaluatedProperties", unevaluatedProperties],
];
