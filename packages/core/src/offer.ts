import { type Address, addressKey, type Kind, type ServerName } from "./address.ts";
import { type Digest, digestOf, digestOfCanonical } from "./digest.ts";
import { type Json, type Member, memberOf, readJson } from "./json.ts";
import { root } from "./pointer.ts";
import { type Fault, faultsOf } from "./shape.ts";
import { twinAmong } from "./twins.ts";

/**
 * The requests whose results carry definitions; `bodies`, the answers to requests for standing text, each of which is a
 * definition; and two that no server is asked for: `launch`, how one is reached, and `manifest`, what a file says.
 */
export const sources = [
  "initialize",
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "bodies",
  "launch",
  "manifest",
] as const;

export type Source = (typeof sources)[number];

/** One definition as the server wrote it. */
export interface RawDefinition {
  readonly address: Address;
  readonly text: string;
  /** Its offsets count from wherever it was read, which need not be `text`. */
  readonly json: Json;
  readonly received: Digest;
}

/** A definition that no gate can judge. It is refused; the rest of its offer lives. */
export interface Malformed {
  /** Its place in the list, over all pages; what stands beside a list counts after it. */
  readonly index: number;
  readonly kind: Kind;
  /** Absent when it has none. */
  readonly name?: string;
  readonly faults: readonly Fault[];
}

/** The definitions of one complete list, or of one handshake, at one time; or some of the bodies that a server has. */
export interface Offer {
  readonly server: ServerName;
  readonly source: Source;
  /** Names the set of definitions, whatever order they came in. */
  readonly digest: Digest;
  readonly definitions: readonly RawDefinition[];
  readonly malformed: readonly Malformed[];
}

/** One result, and the text that its offsets count in. */
export interface Page {
  readonly text: string;
  readonly result: Json;
}

/** An offer, or why the pages are none. */
export type OfferReading =
  | { readonly is: "offer"; readonly offer: Offer }
  | { readonly is: "refused"; readonly because: OfferRefusal };

/** Why pages are no offer; then nothing of them is judged. */
export interface OfferRefusal {
  readonly code: "NO_LIST" | "TWIN_KEY" | "TOO_LARGE";
  /** The page, from 0; the last one where all of them are too large together. */
  readonly page: number;
}

interface ListKind {
  readonly kind: Kind;
  /** The key of the list in the result. */
  readonly list: string;
  /** The key of the name in a definition. */
  readonly name: string;
}

/** The list that a source's result holds; handshakes hold none. */
export const lists: ReadonlyMap<Source, ListKind> = new Map([
  ["tools/list", { kind: "tool", list: "tools", name: "name" }],
  ["prompts/list", { kind: "prompt", list: "prompts", name: "name" }],
  ["resources/list", { kind: "resource", list: "resources", name: "uri" }],
  ["resources/templates/list", { kind: "template", list: "resourceTemplates", name: "uriTemplate" }],
]);

/** Where a modern server repeats its `serverInfo` on every result. */
export const serverInfoKey = "io.modelcontextprotocol/serverInfo";

/**
 * What the results of all pages of an offer may have together: code units of text, and keys and values. Everything that looks at an offer
 * takes many times its size; the largest of 50 captured servers has half as much, and no model could read more.
 */
const offerLimits = { length: 2 * 1024 * 1024, nodes: 128 * 1024 };

/** Whether these pages are more than an offer may be. Whoever collects them one by one need not wait for the last. */
export function areTooLarge(pages: readonly Page[]): boolean {
  const length = pages.reduce((sum, { result }) => sum + result.end - result.start, 0);
  if (length > offerLimits.length) return true;
  // Every node but the last takes two characters, so most offers need not be counted.
  return (
    length > 2 * offerLimits.nodes && pages.reduce((sum, page) => sum + nodesIn(page.result), 0) > offerLimits.nodes
  );
}

function nodesIn(json: Json): number {
  if (json.is === "array") return json.items.reduce((sum, item) => sum + nodesIn(item), 1);
  if (json.is === "object") return json.members.reduce((sum, { value }) => sum + 1 + nodesIn(value), 1);
  return 1;
}

/** What may be a definition. */
export interface Found {
  readonly kind: Kind;
  readonly name: string | undefined;
  readonly text: string;
  readonly json: Json;
}

/**
 * The definitions in all pages of one list, or in one handshake result. What a result holds beside its list and the
 * protocol's own fields is a definition too, of kind `server`, under the name of the request: a host may show it.
 */
export function readOffer(server: ServerName, source: Source, pages: readonly Page[]): OfferReading {
  if (areTooLarge(pages)) return { is: "refused", because: { code: "TOO_LARGE", page: pages.length - 1 } };
  const list = lists.get(source);
  const found: Found[] = [];
  const besides: Found[] = [];
  for (const [number, page] of pages.entries()) {
    if (page.result.is !== "object") return { is: "refused", because: { code: "NO_LIST", page: number } };
    if (twinAmong(page.result.members, resultKeys) !== undefined) {
      return { is: "refused", because: { code: "TWIN_KEY", page: number } };
    }
    if (list !== undefined) {
      const items = memberOf(page.result, list.list);
      if (items?.is !== "array") return { is: "refused", because: { code: "NO_LIST", page: number } };
      for (const json of items.items) {
        const name = memberOf(json, list.name);
        found.push({
          kind: list.kind,
          name: name?.is === "string" ? name.value : undefined,
          text: page.text.slice(json.start, json.end),
          json,
        });
      }
    }
    // Only the first page is ever served; what the others say beside their lists reaches nobody.
    if (number > 0) continue;
    const instructions = list === undefined ? memberOf(page.result, "instructions") : undefined;
    if (instructions !== undefined) {
      const text = page.text.slice(instructions.start, instructions.end);
      besides.push({ kind: "instructions", name: source, text, json: instructions });
    }
    const rest = beside(source, page);
    if (rest !== undefined) besides.push({ kind: "server", name: source, ...rest });
  }
  found.push(...besides);
  return { is: "offer", offer: offerOf(server, source, found) };
}

/** One answer to a request for standing text. */
export interface Answered {
  readonly kind: Extract<Kind, "body" | "view">;
  /** The request, and what it was about: `prompts/get daily`. */
  readonly name: string;
  readonly page: Page;
}

/**
 * Standing text behind handles, each answer a definition of its own: all that it holds, but for the protocol's own fields.
 * Unlike a list, such an offer says nothing about what it does not hold.
 */
export function readBodies(server: ServerName, answers: readonly Answered[]): OfferReading {
  const pages = answers.map(({ page }) => page);
  if (areTooLarge(pages)) return { is: "refused", because: { code: "TOO_LARGE", page: pages.length - 1 } };
  const found: Found[] = [];
  for (const [number, { kind, name, page }] of answers.entries()) {
    if (page.result.is !== "object") return { is: "refused", because: { code: "NO_LIST", page: number } };
    if (twinAmong(page.result.members, resultKeys) !== undefined) {
      return { is: "refused", because: { code: "TWIN_KEY", page: number } };
    }
    found.push({ kind, name, ...(beside("bodies", page) ?? nothing()) });
  }
  return { is: "offer", offer: offerOf(server, "bodies", found) };
}

function nothing(): Pick<Found, "text" | "json"> {
  return { text: "{}", json: { is: "object", start: 0, end: 2, members: [] } };
}

function offerOf(server: ServerName, source: Source, found: readonly Found[]): Offer {
  const sorted = sortOut(server, found);
  return { server, source, digest: offerDigest(sorted.definitions), ...sorted };
}

/** What one manifest says, or a tree of files. Like a list, such an offer says that there is nothing else. */
export function readManifest(
  server: ServerName,
  said: readonly { readonly kind: Extract<Kind, "claim" | "skill">; readonly name: string; readonly text: string }[],
): OfferReading {
  const found: Found[] = [];
  for (const [number, { kind, name, text }] of said.entries()) {
    const reading = readJson(text);
    if (reading.is === "refused") return { is: "refused", because: { code: "NO_LIST", page: number } };
    found.push({ kind, name, text, json: reading.json });
  }
  const pages = found.map(({ text, json }) => ({ text, result: json }));
  if (areTooLarge(pages)) return { is: "refused", because: { code: "TOO_LARGE", page: pages.length - 1 } };
  return { is: "offer", offer: offerOf(server, "manifest", found) };
}

/** One malformed definition is isolated; the others live. */
export function sortOut(server: ServerName, found: readonly Found[]): Pick<Offer, "definitions" | "malformed"> {
  const definitions: RawDefinition[] = [];
  const malformed: Malformed[] = [];
  const count = new Map<string, number>();
  for (const { kind, name } of found) {
    if (name !== undefined) count.set(addressKey({ kind, name }), (count.get(addressKey({ kind, name })) ?? 0) + 1);
  }
  for (const [index, { kind, name, text, json }] of found.entries()) {
    const faults = [...faultsOf(kind, json)];
    // Which of two equal names a host calls is the host's secret, so neither is served.
    if (name !== undefined && (count.get(addressKey({ kind, name })) ?? 0) > 1) {
      faults.push({ code: "DUPLICATE_NAME", at: root });
    }
    if (name === undefined || faults.length > 0) {
      malformed.push({ index, kind, ...(name === undefined ? {} : { name }), faults });
    } else {
      definitions.push({ address: { server, kind, name }, text, json, received: digestOf(kind, json) });
    }
  }
  return { definitions, malformed };
}

/** The digest of a set of definitions: docs/format.md §4. */
export function offerDigest(
  definitions: readonly {
    readonly address: Pick<Address, "kind" | "name">;
    readonly received: Digest;
    /** Sorted; absent where it is for all. */
    readonly principals?: readonly string[];
  }[],
): Digest {
  const rows = definitions
    .map(({ address, received, principals }) => {
      const row = [address.kind, address.name, received] as const;
      return principals === undefined ? row : ([...row, principals] as const);
    })
    .sort((a, b) => compare(a[0], b[0]) || compare(a[1], b[1]) || compare(a[2], b[2]));
  return digestOfCanonical("offer", JSON.stringify(rows));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The members of a result that are neither its list nor its instructions nor the protocol's own, as one object. */
function beside(source: Source, page: Page): { text: string; json: Json } | undefined {
  const list = lists.get(source);
  const isHandshake = source === "initialize" || source === "server/discover";
  const kept: string[] = [];
  for (const member of membersOf(page.result)) {
    if (member.key === list?.list || (isHandshake && member.key === "instructions")) continue;
    if (isProtocolField(source, member)) continue;
    if (member.key === "_meta" && !isHandshake) {
      // Every modern result repeats `serverInfo`; the handshake's copy is the pinned one, and wire serves no other.
      const inner = membersOf(member.value).filter(({ key }) => key !== serverInfoKey);
      if (member.value.is === "object" && inner.length === 0) continue;
      if (member.value.is === "object") {
        kept.push(`"_meta":{${inner.map((one) => page.text.slice(one.start, one.value.end)).join(",")}}`);
        continue;
      }
    }
    kept.push(page.text.slice(member.start, member.value.end));
  }
  if (kept.length === 0) return undefined;
  const text = `{${kept.join(",")}}`;
  const reading = readJson(text);
  // Its parts were read already, within the same bounds.
  if (reading.is === "refused") throw new Error(`Cannot read what stands beside ${source}: ${reading.refusal.code}`);
  return { text, json: reading.json };
}

function membersOf(json: Json): readonly Member[] {
  return json.is === "object" ? json.members : [];
}

/** A field of the protocol with a value that says nothing to a model. With any other value it is pinned like the rest. */
export function isProtocolField(source: Source, { key, value }: Member): boolean {
  switch (key) {
    case "nextCursor":
      return lists.has(source) && value.is === "string"; // never served: the host gets one page
    case "ttlMs":
      return value.is === "number";
    case "cacheScope":
      return value.is === "string" && (value.value === "public" || value.value === "private");
    case "resultType":
      return value.is === "string" && value.value === "complete";
    case "protocolVersion":
      return source === "initialize" && isVersion(value);
    case "supportedVersions":
      return source === "server/discover" && value.is === "array" && value.items.every(isVersion);
    default:
      return false;
  }
}

function isVersion(value: Json): boolean {
  return value.is === "string" && /^(?:DRAFT-)?[0-9]{4}-[0-9]{2}-[0-9]{2}(?:-v[0-9]{1,3})?$/.test(value.value);
}

/** What readers look for in a result. Another spelling beside one of these refuses the whole offer. */
const resultKeys: ReadonlySet<string> = new Set([
  ...[...lists.values()].map(({ list }) => list),
  ...["nextCursor", "ttlMs", "cacheScope", "resultType", "_meta"],
  ...["protocolVersion", "supportedVersions", "capabilities", "serverInfo", "instructions"],
  ...["messages", "description", "contents"],
]);
