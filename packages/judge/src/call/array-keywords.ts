import { canonicalize } from "@countersign/core";
import { type Frame, type Keyword, type Schema, under } from "./keyword.ts";
import { countOf, measured } from "./value-keywords.ts";

const prefixItems: Keyword = (frame, argument, keyword) => {
  if (argument.is !== "array") return frame.run.unsupported(frame, keyword, "malformed");
  return applyEach(frame, 0, (index) => {
    const json = argument.items[index];
    return json === undefined ? undefined : under(frame.schema, json, keyword, index);
  });
};

const items: Keyword = (frame, argument, keyword) => {
  if (argument.is !== "array") {
    const prefix = frame.dialect === "2020-12" ? frame.keywords.get("prefixItems") : undefined;
    const from = prefix?.is === "array" ? prefix.items.length : 0;
    return applyEach(frame, from, () => under(frame.schema, argument, keyword));
  }
  if (frame.dialect === "2020-12") return frame.run.unsupported(frame, keyword, "malformed");
  return prefixItems(frame, argument, keyword);
};

/** Means something only beside a list of items. */
const additionalItems: Keyword = (frame, argument, keyword) => {
  const listed = frame.keywords.get("items");
  if (listed?.is !== "array") return true;
  return applyEach(frame, listed.items.length, () => under(frame.schema, argument, keyword));
};

const unevaluatedItems: Keyword = (frame, argument, keyword) =>
  applyEach(frame, 0, (index) => (frame.seen?.items.has(index) ? undefined : under(frame.schema, argument, keyword)));

function applyEach(frame: Frame, from: number, schemaOf: (index: number) => Schema | undefined): boolean {
  const { value, run, seen, at } = frame;
  if (value.is !== "array") return true;
  let holds = true;
  for (let index = from; index < value.items.length; index++) {
    const item = value.items[index];
    const schema = schemaOf(index);
    if (item === undefined || schema === undefined) continue;
    holds = run.apply(frame, schema, item, { parent: at, token: index }) && holds;
    seen?.items.add(index);
  }
  return holds;
}

const contains: Keyword = (frame, argument, keyword) => {
  const { value, run, at, dialect } = frame;
  if (value.is !== "array") return true;
  const counts = dialect === "2019-09" || dialect === "2020-12";
  const [least, most] = [
    counts ? boundOf(frame, "minContains", 1) : 1,
    counts ? boundOf(frame, "maxContains", Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY,
  ];
  const schema = under(frame.schema, argument, keyword);
  let found = 0;
  for (const [index, item] of value.items.entries()) {
    if (!run.tryOn(frame, schema, item, { parent: at, token: index })) continue;
    found++;
    if (dialect === "2020-12") frame.seen?.items.add(index);
  }
  if (found < least) return run.fail(frame, least === 1 ? keyword : "minContains");
  return found <= most || run.fail(frame, "maxContains");
};

function boundOf(frame: Frame, keyword: string, otherwise: number): number {
  const bound = frame.keywords.get(keyword);
  if (bound === undefined) return otherwise;
  const count = countOf(bound);
  if (count === undefined) frame.run.unsupported(frame, keyword, "malformed");
  return count ?? otherwise;
}

const minItems = measured(itemCount, (count, bound) => count >= bound);
const maxItems = measured(itemCount, (count, bound) => count <= bound);

function itemCount({ value }: Frame): number | undefined {
  return value.is === "array" ? value.items.length : undefined;
}

const uniqueItems: Keyword = (frame, argument, keyword) => {
  if (argument.is !== "boolean") return frame.run.unsupported(frame, keyword, "malformed");
  const { value, run } = frame;
  if (!argument.value || value.is !== "array") return true;
  run.step(frame, (value.end - value.start) >> 4);
  return new Set(value.items.map(canonicalize)).size === value.items.length || run.fail(frame, keyword);
};

export const arrayKeywords: readonly (readonly [string, Keyword])[] = [
  ["prefixItems", prefixItems],
  ["items", items],
  ["additionalItems", additionalItems],
  ["contains", contains],
  ["minItems", minItems],
  ["maxItems", maxItems],
  ["uniqueItems", uniqueItems],
];

export const lastArrayKeywords: readonly (readonly [string, Keyword])[] = [["unevaluatedItems", unevaluatedItems]];
