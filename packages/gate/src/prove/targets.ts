import type { Kind, Source } from "@countersign/core";
import type { Capture } from "./capture.ts";
import { isObject } from "./carriers.ts";
import { keyOf } from "./complaint.ts";
import { locate, type Spot } from "./spot.ts";

/** One definition, in an offer around it that holds still. */
export interface Target {
  readonly kind: Kind;
  readonly name: string;
  /** The text to be changed: the definition's own, or that of the page it is part of. */
  readonly text: string;
  /** What `JSON.parse` makes of the definition, and where that stands in `text`. */
  readonly value: unknown;
  readonly spot: Spot;
  /** The stretch of `text` that holds it and may be spelled anew. */
  readonly whole: Spot;
  /** The pages of an offer with `text` in its place: with one other of the list, or in the complete list. */
  readonly alone: (text: string) => readonly string[];
  readonly complete: (text: string) => readonly string[];
  /** What `JSON.parse` makes of the definition in a changed `text`. */
  readonly valueIn: (text: string) => unknown;
  /** The `keyOf` of the definition in a changed `text`; absent where it is gone or has no name. */
  readonly keyIn: (text: string) => string | undefined;
}

/** An offer, taken apart. */
export interface Anatomy {
  readonly targets: readonly Target[];
  /** A page that holds of a list only the shortest definition. */
  readonly frame: string;
}

/** A changed page. */
interface Oddity {
  readonly mutation: "odd-field" | "twin-field";
  readonly text: string;
  readonly at: string;
}

/** The proof's own idea of where definitions are. */
const listOf: ReadonlyMap<Source, { readonly kind: Kind; readonly list: string; readonly name: string }> = new Map([
  ["tools/list", { kind: "tool", list: "tools", name: "name" }],
  ["prompts/list", { kind: "prompt", list: "prompts", name: "name" }],
  ["resources/list", { kind: "resource", list: "resources", name: "uri" }],
  ["resources/templates/list", { kind: "template", list: "resourceTemplates", name: "uriTemplate" }],
]);

interface Item {
  readonly page: number;
  readonly name: string;
  readonly text: string;
  readonly value: unknown;
  readonly spot: Spot;
}

interface PageSpot {
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly spot: Extract<Spot, { is: "object" }>;
}

/**
 * Every definition that an offer holds.
 *
 * @param isBound whether the subject binds the definition of this kind and name; only such may stand beside another
 * @throws SyntaxError or TypeError where a page is no JSON object, or has no list where one belongs
 */
export function dissect({ source, pages }: Capture, isBound: (kind: Kind, name: string) => boolean): Anatomy {
  const read = pages.map(readPage);
  const first = read[0];
  if (first === undefined) throw new TypeError("an offer has no page");
  const list = listOf.get(source);
  if (list === undefined) {
    return { targets: [...instructionsOf(source, first), ...besideOf(source, first, [])], frame: first.text };
  }

  const items = read.flatMap((page, number) => itemsOf(page, number, list));
  const others = items
    .filter(({ name }) => isBound(list.kind, name))
    .sort((a, b) => a.text.length - b.text.length)
    .slice(0, 2);
  const where = first.spot.members.get(list.list)?.value;
  if (where === undefined) throw new TypeError("a page has no list");
  const framed = (...texts: string[]) =>
    `${first.text.slice(0, where.start)}[${texts.join(",")}]${first.text.slice(where.end)}`;

  const targets = items.map((item): Target => {
    const spot = locate(item.text);
    const neighbour = others.find((other) => other !== item);
    return {
      kind: list.kind,
      name: item.name,
      text: item.text,
      value: item.value,
      spot,
      whole: spot,
      alone: (text) => [neighbour === undefined ? framed(text) : framed(text, neighbour.text)],
      complete: (text) =>
        pages.map((page, number) =>
          number === item.page ? page.slice(0, item.spot.start) + text + page.slice(item.spot.end) : page,
        ),
      valueIn: (text) => JSON.parse(text),
      keyIn: (text) => {
        const name = nameOf(JSON.parse(text), list.name);
        return name === undefined ? undefined : keyOf({ kind: list.kind, name });
      },
    };
  });
  const frame = others[0] === undefined ? framed() : framed(others[0].text);
  return { targets: [...targets, ...besideOf(source, first, pages.slice(1))], frame };
}

/**
 * Changes beside the definitions of an offer: a field of the protocol that holds what the protocol does not put there, a
 * field that nobody knows, and a second list in other letters.
 */
export function oddities(source: Source, frame: string): readonly Oddity[] {
  const { spot } = readPage(frame);
  const list = listOf.get(source)?.list ?? "capabilities";
  const twin = list.charAt(0).toUpperCase() + list.slice(1);
  const odd = [...oddFields, ...(spot.members.has(list) ? [[twin, "[]"] as const] : [])];
  return odd.map(([key, value]) => {
    const there = spot.members.get(key)?.value;
    const start = there?.start ?? spot.start + 1;
    const put = there !== undefined ? value : `"${key}":${value}${spot.members.size > 0 ? "," : ""}`;
    const text = frame.slice(0, start) + put + frame.slice(there?.end ?? start);
    return { mutation: key === twin ? "twin-field" : "odd-field", text, at: `/${key}` };
  });
}

const oddFields: readonly (readonly [key: string, value: string])[] = [
  ["nextCursor", '{"note":"added"}'],
  ["ttlMs", '"added"'],
  ["cacheScope", '"added"'],
  ["resultType", '"added"'],
  ["protocolVersion", '"added"'],
  ["supportedVersions", '["added"]'],
  ["x-added", '"added"'],
  ["_meta", '{"x-added":"added"}'],
];

function readPage(text: string): PageSpot {
  const value: unknown = JSON.parse(text);
  const spot = locate(text);
  if (!isObject(value) || spot.is !== "object") throw new TypeError("a result is no object");
  return { text, value, spot };
}

function itemsOf({ text, value, spot }: PageSpot, page: number, list: { list: string; name: string }): readonly Item[] {
  const values = value[list.list];
  const spots = spot.members.get(list.list)?.value;
  if (!Array.isArray(values) || spots?.is !== "array") throw new TypeError("a page has no list");
  return values.flatMap((item: unknown, index): Item[] => {
    const name = nameOf(item, list.name);
    const where = spots.items[index];
    if (name === undefined || where === undefined) return [];
    return [{ page, name, text: text.slice(where.start, where.end), value: item, spot: where }];
  });
}

function nameOf(value: unknown, key: string): string | undefined {
  const name = isObject(value) ? value[key] : undefined;
  return typeof name === "string" ? name : undefined;
}

function instructionsOf(source: Source, { text, value, spot }: PageSpot): readonly Target[] {
  const member = spot.members.get("instructions");
  if (member === undefined) return [];
  return [
    {
      ...whole("instructions", source, text, []),
      value: value["instructions"],
      spot: member.value,
      whole: member.value,
      valueIn: (changed) => readPage(changed).value["instructions"],
      keyIn: () => keyOf({ kind: "instructions", name: source }),
    },
  ];
}

/** What a result holds beside its list, its instructions and the protocol's own fields. */
function besideOf(source: Source, { text, value, spot }: PageSpot, others: readonly string[]): readonly Target[] {
  const beside = restOf(source, value);
  if (Object.keys(beside).length === 0) return [];
  return [
    {
      ...whole("server", source, text, others),
      value: beside,
      spot,
      whole: spot,
      valueIn: (changed) => restOf(source, readPage(changed).value),
      keyIn: (changed) => {
        const nothing = Object.keys(restOf(source, readPage(changed).value)).length === 0;
        return nothing ? undefined : keyOf({ kind: "server", name: source });
      },
    },
  ];
}

function whole(kind: Kind, name: string, text: string, others: readonly string[]) {
  const pages = (changed: string) => [changed, ...others];
  return { kind, name, text, alone: pages, complete: pages };
}

const serverInfoKey = "io.modelcontextprotocol/serverInfo";

function restOf(source: Source, result: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const list = listOf.get(source);
  const rest: [string, unknown][] = [];
  for (const [key, value] of Object.entries(result)) {
    if (key === (list?.list ?? "instructions") || isOrdinary(source, key, value)) continue;
    if (key !== "_meta" || list === undefined || !isObject(value)) rest.push([key, value]);
    else {
      // Every modern result repeats what the handshake says of the server; only the handshake's is a definition.
      const meta = Object.entries(value).filter(([inner]) => inner !== serverInfoKey);
      if (meta.length > 0) rest.push([key, Object.fromEntries(meta)]);
    }
  }
  return Object.fromEntries(rest);
}

/** Whether this is a field of the protocol that holds what the protocol puts there. */
function isOrdinary(source: Source, key: string, value: unknown): boolean {
  switch (key) {
    case "nextCursor":
      return listOf.has(source) && typeof value === "string";
    case "ttlMs":
      return typeof value === "number";
    case "cacheScope":
      return value === "public" || value === "private";
    case "resultType":
      return value === "complete";
    case "protocolVersion":
      return source === "initialize" && isVersion(value);
    case "supportedVersions":
      return source === "server/discover" && Array.isArray(value) && value.every(isVersion);
    default:
      return false;
  }
}

function isVersion(value: unknown): boolean {
  return typeof value === "string" && /^(DRAFT-)?\d{4}-\d\d-\d\d(-v\d{1,3})?$/.test(value);
}
