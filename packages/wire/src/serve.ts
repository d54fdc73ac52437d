import {
  addressKey,
  canonicalize,
  isProtocolField,
  type Json,
  lists,
  type Member,
  memberOf,
  type Offer,
  type Page,
  type Rendering,
  type Ruling,
  readJson,
  type ServerName,
  type Source,
  serverInfoKey,
} from "@countersign/core";
import type { Frame, Id } from "./frame.ts";
import { type Splice, spliced } from "./splice.ts";
import { uncachedIn, uncachedMember } from "./uncached.ts";

export type ResultFrame = Extract<Frame, { is: "result" }>;

export interface Judged {
  readonly offer: Offer;
  readonly rulings: readonly Ruling[];
}

export interface ListResult {
  readonly text: string;
  /** Whether it is the server's own, but for a few values, so that its message stays around it. */
  readonly keepsEnvelope: boolean;
}

/**
 * The result that the host gets for a request for definitions: what is bound, in its approved text, and nothing else of the
 * server's. Where all of it is bound and spelled as approved, the server's own message passes, and only how long it may be kept
 * is not as it was; undefined where that needs no change either.
 *
 * @param page the first one, whose own fields the answer keeps
 * @param pages how many pages there were; the host always gets one
 * @param accepted canonical forms of the `serverInfo` that a result may repeat
 */
export function listResult(
  page: Page,
  pages: number,
  judged: Judged,
  accepted: ReadonlySet<string>,
): ListResult | undefined {
  const list = lists.get(judged.offer.source)?.list ?? "";
  const own = protocolFields(page, judged.offer.source);
  if (pages === 1 && memberOf(page.result, "nextCursor") === undefined && isAsApproved(judged)) {
    const splices = [...uncachedIn(page.result, page.text), ...ownInfoIn(page, judged.offer.server, accepted)];
    return splices.length === 0 ? undefined : { text: splicedWithin(page, splices), keepsEnvelope: true };
  }
  const bound: string[] = [];
  for (const ruling of judged.rulings) {
    if (ruling.verdict === "bind" && ruling.address.kind !== "server") bound.push(ruling.rendering.text);
  }
  const beside = membersIn(serverRendering(judged));
  const meta = beside.find(({ key }) => key === "_meta")?.text;
  const repeats = infoIn(page.result) === undefined ? undefined : repeatedInfo(page, judged.offer.server, accepted);
  const parts = [
    `"${list}":[${bound.join(",")}]`,
    ...own.map(({ text }) => text),
    ...beside.filter(({ key }) => key !== "_meta").map(({ text }) => text),
    ...metaOf(meta, repeats),
  ];
  return { text: `{${parts.join(",")}}`, keepsEnvelope: false };
}

/** The answer to `initialize` or `server/discover`. `notice` is Countersign's own sentence about what it withholds. */
export function serveHandshake(frame: ResultFrame, judged: Judged, notice: string | undefined): string {
  const { offer } = judged;
  const server = serverRendering(judged);
  if (notice === undefined && isAsApproved(judged) && (server === undefined || declaresChanges(server))) {
    return splicedResult(frame, uncachedIn(frame.page.result, frame.page.text));
  }
  const beside = server === undefined ? [] : membersIn(server);
  const parts = protocolFields(frame.page, offer.source).map(({ text }) => text);
  for (const { key, text, value } of beside) {
    parts.push(key === "capabilities" ? `"capabilities":${declaringChanges(value, text)}` : text);
  }
  if (server === undefined) parts.push(...presentation(frame.page.result, offer));
  const spoken = [instructionsIn(judged), notice].filter((text) => text !== undefined && text !== "").join("\n\n");
  if (spoken !== "") parts.push(`"instructions":${JSON.stringify(spoken)}`);
  return answer(frame.id, `{${parts.join(",")}}`);
}

/**
 * The answer to a request for standing text: what was approved, or nothing where it is not bound. Where it is spelled as
 * approved, the server's own message passes.
 */
export function serveBody(frame: ResultFrame, judged: Judged, accepted: ReadonlySet<string>): string | undefined {
  const { page } = frame;
  const { server } = judged.offer;
  if (isAsApproved(judged)) {
    return splicedResult(frame, [...uncachedIn(page.result, page.text), ...ownInfoIn(page, server, accepted)]);
  }
  const [ruling] = judged.rulings;
  if (ruling?.verdict !== "bind") return undefined;
  const held = membersIn(ruling.rendering);
  const repeats = infoIn(page.result) === undefined ? undefined : repeatedInfo(page, server, accepted);
  const parts = [
    ...protocolFields(page, "bodies").map(({ text }) => text),
    ...held.filter(({ key }) => key !== "_meta").map(({ text }) => text),
    ...metaOf(held.find(({ key }) => key === "_meta")?.text, repeats),
  ];
  return answer(frame.id, `{${parts.join(",")}}`);
}

/**
 * Any other result: as the server sent it, but for a `serverInfo` that nobody approved.
 *
 * @param splices what else is replaced in it
 */
export function withKnownServerInfo(
  frame: ResultFrame,
  server: ServerName,
  accepted: ReadonlySet<string>,
  splices: readonly Splice[] = [],
): string {
  return splicedResult(frame, [...splices, ...ownInfoIn(frame.page, server, accepted)]);
}

/** The offsets of a result that was known already count in another message, which differs from this one in its id. */
function splicedResult(frame: ResultFrame, splices: readonly Splice[]): string {
  if (splices.length === 0) return frame.text;
  const [head, tail] = envelopeOf(frame);
  return head + splicedWithin(frame.page, splices) + tail;
}

/** What stands around the result in a message. */
export function envelopeOf({ text, id, page }: ResultFrame): readonly [head: string, tail: string] {
  const { start, end } = page.result;
  // A known answer differs from this message in its id, and in nothing else.
  const shift = id.start < start ? text.length - page.text.length : 0;
  return [text.slice(0, start + shift), text.slice(end + shift)];
}

/** Around a result that Countersign makes anew. */
export function ownEnvelope(id: Id): readonly [head: string, tail: string] {
  return [`{"jsonrpc":"2.0","id":${id.text},"result":`, "}"];
}

function splicedWithin({ text, result: { start, end } }: Page, splices: readonly Splice[]): string {
  const within = splices.map((one) => ({ ...one, start: one.start - start, end: one.end - start }));
  return spliced(text.slice(start, end), within);
}

/** The operator's name in the place of a `serverInfo` that nobody approved. */
export function ownInfoIn({ result }: Page, server: ServerName, accepted: ReadonlySet<string>): readonly Splice[] {
  const info = infoIn(result);
  if (info === undefined || accepted.has(canonicalize(info))) return [];
  return [{ start: info.start, end: info.end, text: ownInfo(server) }];
}

/** The `serverInfo` that a bound handshake pins, in canonical form, in either era's place. */
export function acceptedInfo(rendering: Rendering | undefined): string | undefined {
  if (rendering === undefined) return undefined;
  const json = jsonOf(rendering);
  const info = memberOf(json, "serverInfo") ?? infoIn(json);
  return info === undefined ? undefined : canonicalize(info);
}

/** The approved text of the server's own presentation: bound, or standing while a changed one waits. */
export function serverRendering({ rulings }: Judged): Rendering | undefined {
  for (const ruling of rulings) {
    if (ruling.address.kind !== "server") continue;
    if (ruling.verdict === "bind") return ruling.rendering;
    if (ruling.verdict === "quarantine") return ruling.standing;
  }
  return undefined;
}

function isAsApproved({ offer, rulings }: Judged): boolean {
  if (offer.malformed.length > 0) return false;
  const texts = new Map(offer.definitions.map(({ address, text }) => [addressKey(address), text]));
  return rulings.every((one) => one.verdict === "bind" && one.rendering.text === texts.get(addressKey(one.address)));
}

interface Piece {
  readonly key: string;
  readonly text: string;
  readonly value: Json;
}

function pieces(text: string, members: readonly Member[]): readonly Piece[] {
  return members.map(({ key, start, value }) => ({
    key,
    text: uncachedMember(key, text.slice(start, value.end)),
    value,
  }));
}

/** The fields that the protocol defines, with values that the protocol allows: these say nothing to a model. */
function protocolFields({ text, result }: Page, source: Source): readonly Piece[] {
  const members = result.is === "object" ? result.members : [];
  const kept = members.filter((member) => member.key !== "nextCursor" && isProtocolField(source, member));
  return pieces(text, kept);
}

function membersIn(rendering: Rendering | undefined): readonly Piece[] {
  if (rendering === undefined) return [];
  const json = jsonOf(rendering);
  return json.is === "object" ? pieces(rendering.text, json.members) : [];
}

function jsonOf(rendering: Rendering): Json {
  const reading = readJson(rendering.text);
  if (reading.is === "refused") throw new Error(`Cannot serve ${rendering.digest}: its approved text is not JSON`);
  return reading.json;
}

function instructionsIn({ rulings }: Judged): string | undefined {
  for (const ruling of rulings) {
    if (ruling.address.kind !== "instructions" || ruling.verdict !== "bind") continue;
    const json = jsonOf(ruling.rendering);
    if (json.is === "string") return json.value;
  }
  return undefined;
}

const changing = ["tools", "prompts", "resources"] as const;

/** Countersign tells hosts when a verdict changes, so it declares `listChanged` even where the server does not. */
function declaresChanges(rendering: Rendering): boolean {
  const capabilities = memberOf(jsonOf(rendering), "capabilities");
  return changing.every((name) => {
    const one = memberOf(capabilities, name);
    const says = memberOf(one, "listChanged");
    return one?.is !== "object" || (says?.is === "boolean" && says.value);
  });
}

/** @param text the member `"capabilities":{...}` that `value` was read from */
function declaringChanges(value: Json, text: string): string {
  if (value.is !== "object") return text.slice(text.length - (value.end - value.start));
  const offset = value.end - text.length;
  const members = value.members.map(({ key, start, value: inner }) => {
    const was = text.slice(start - offset, inner.end - offset);
    if (inner.is !== "object" || !changing.some((name) => name === key)) return was;
    const others = inner.members
      .filter((member) => member.key !== "listChanged")
      .map((member) => text.slice(member.start - offset, member.value.end - offset));
    return `"${key}":{${['"listChanged":true', ...others].join(",")}}`;
  });
  return `{${members.join(",")}}`;
}

/** Before anyone approved how the server presents itself: the operator's name, and only what the protocol names. */
function presentation(result: Json, offer: Offer): readonly string[] {
  const declared = memberOf(result, "capabilities");
  const capabilities: string[] = [];
  for (const name of changing) {
    const one = memberOf(declared, name);
    if (one?.is !== "object") continue;
    const subscribe = memberOf(one, "subscribe");
    const subscribes = name === "resources" && subscribe?.is === "boolean" && subscribe.value;
    capabilities.push(`"${name}":{"listChanged":true${subscribes ? ',"subscribe":true' : ""}}`);
  }
  for (const name of ["logging", "completions"]) {
    if (memberOf(declared, name)?.is === "object") capabilities.push(`"${name}":{}`);
  }
  const info = ownInfo(offer.server);
  return [
    `"capabilities":{${capabilities.join(",")}}`,
    offer.source === "initialize" ? `"serverInfo":${info}` : `"_meta":{"${serverInfoKey}":${info}}`,
  ];
}

function infoIn(result: Json): Json | undefined {
  return memberOf(memberOf(result, "_meta"), serverInfoKey);
}

function repeatedInfo({ text, result }: Page, server: ServerName, accepted: ReadonlySet<string>): string {
  const info = infoIn(result);
  if (info === undefined || !accepted.has(canonicalize(info))) return ownInfo(server);
  return text.slice(info.start, info.end);
}

/** @param meta the approved member `"_meta":{...}`; @param info the text of a `serverInfo` to repeat in it */
function metaOf(meta: string | undefined, info: string | undefined): readonly string[] {
  if (info === undefined) return meta === undefined ? [] : [meta];
  const repeated = `"${serverInfoKey}":${info}`;
  const inner = meta?.slice(meta.indexOf("{") + 1, meta.lastIndexOf("}")).trim() ?? "";
  return [`"_meta":{${inner === "" ? repeated : `${inner},${repeated}`}}`];
}

/** `ServerName` holds nothing that JSON would have to escape. */
function ownInfo(server: ServerName): string {
  return `{"name":"${server}","version":"0"}`;
}

/** @param result JSON text */
function answer(id: Id, result: string): string {
  return ownEnvelope(id).join(result);
}
