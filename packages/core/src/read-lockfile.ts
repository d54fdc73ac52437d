import { type Address, addressKey, asServerName, kinds, type ServerName } from "./address.ts";
import { canonicalize } from "./canonical.ts";
import { asDigest, type Digest, digestOfCanonical } from "./digest.ts";
import { decodeUtf8, type Json, readJson } from "./json.ts";
import { LockedValue } from "./locked-value.ts";
import {
  type LockedDefinition,
  type LockedServer,
  type Lockfile,
  LockfileError,
  type LockfileProblem,
} from "./lockfile.ts";
import { type Plan, planOf, proses, type Scalar, type Setting } from "./plan.ts";
import type { Pointer } from "./pointer.ts";
import { render } from "./render.ts";
import { faultsOf } from "./shape.ts";
import { visibleStart } from "./visible.ts";
import { linesOfServer, lockfileHead, lockfileNote } from "./write-lockfile.ts";

/** Bytes. The approvals of fifty captured servers take a tenth of it. */
const mostBytes = 64 * 1024 * 1024;
/** More problems than a person reads; the last one says how many there are besides. */
const mostProblems = 100;

/** Lines of a file, from 1. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** What a lockfile says, and where in its text. */
export interface LockfileReading {
  readonly lockfile: Lockfile;
  /** The lines of one definition, or of the carrier at a place of it; of what is around it, where there are none. */
  readonly linesOf: (address: Address, at?: Pointer) => Lines | undefined;
}

/**
 * Reads what `writeLockfile` wrote, in any order of servers, so that a merge of two files is one. Every digest is made again
 * from the text that stands there. A repository holds the file, so every byte of it may be hostile.
 *
 * @throws LockfileError with all problems at once
 */
export function readLockfile(bytes: Uint8Array): LockfileReading {
  const problems = new Problems();
  const servers = new Map<ServerName, ServerBlock>();
  for (const { number, text } of linesIn(bytes, problems)) readLine(text, number, servers, problems);
  const read: LockedServer[] = [];
  for (const [server, block] of servers) {
    const one = finish(server, block, problems);
    if (one === undefined) continue;
    read.push(one);
    checkSpelling(one, block, problems);
  }
  problems.throwAny();
  return {
    lockfile: { servers: read },
    linesOf: (address, at) => {
      const block = servers.get(address.server);
      if (block === undefined) return undefined;
      const definition = block.definitions.get(addressKey(address));
      if (definition === undefined) return { first: block.first, last: block.first };
      return at === undefined || definition.value === undefined
        ? { first: definition.first, last: definition.last }
        : definition.value.linesAt(at);
    },
  };
}

class Problems {
  readonly #all: LockfileProblem[] = [];
  #more = 0;

  get count(): number {
    return this.#all.length;
  }

  add(line: number, what: string): undefined {
    if (this.#all.length < mostProblems) this.#all.push({ line, what });
    else this.#more++;
  }

  throwAny(): void {
    const last = this.#all.at(-1);
    if (last === undefined) return;
    const more = this.#more === 0 ? [] : [{ line: last.line, what: `and ${this.#more} more problems` }];
    throw new LockfileError([...this.#all.sort((one, other) => one.line - other.line), ...more]);
  }
}

interface ServerBlock {
  readonly first: number;
  ruleset?: Digest;
  readonly definitions: Map<string, DefinitionBlock>;
  /** Every line of the server as it stands there, to be compared with how it would be written. */
  readonly lines: { readonly number: number; readonly text: string }[];
  /** Set where something of it could not be read: then nothing more is said about its spelling. */
  broken: boolean;
}

interface DefinitionBlock {
  readonly address: Address;
  readonly first: number;
  last: number;
  received?: Digest;
  contract?: Digest;
  rendered?: Digest;
  prose?: Plan["prose"];
  close?: true;
  expires?: number;
  readonly set: Setting[];
  readonly acknowledged: string[];
  value?: LockedValue;
  broken: boolean;
}

function* linesIn(bytes: Uint8Array, problems: Problems): Generator<{ number: number; text: string }> {
  if (bytes.length > mostBytes) return problems.add(1, `more than ${mostBytes} bytes`);
  const text = decodeUtf8(bytes);
  if (text === undefined) return problems.add(1, "not UTF-8");
  // A checkout on Windows may have made CR LF of every line end; within a text a CR is an escape.
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const head = lines[0] ?? "";
  if (head !== lockfileHead) {
    const version = /^countersign\.lock ([0-9]{1,9})$/.exec(head)?.[1];
    const what =
      version === undefined
        ? `not "${lockfileHead}", with which a lockfile begins`
        : `version ${version} of the format, which this Countersign does not read; update it`;
    return problems.add(1, what);
  }
  if (lines.at(-1) !== "") problems.add(lines.length, "no line end at the end of the file: it may have been cut off");
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line === lockfileNote || (line === "" && index === lines.length - 1)) continue;
    yield { number: index + 1, text: line };
  }
}

function readLine(text: string, number: number, servers: Map<ServerName, ServerBlock>, problems: Problems): undefined {
  if (/^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/.test(text)) {
    return problems.add(number, "a merge conflict: keep both sides where they are about two servers, else lock again");
  }
  const words = new Words(text);
  const server = asServerName(words.next() ?? "");
  if (server === undefined) return problems.add(number, "not a server's name at the beginning");
  const block: ServerBlock = servers.get(server) ?? { first: number, definitions: new Map(), lines: [], broken: false };
  servers.set(server, block);
  block.lines.push({ number, text });
  const problem = (what: string): undefined => {
    block.broken = true;
    return problems.add(number, what);
  };
  const second = words.next();
  if (second === "ruleset") {
    const ruleset = asDigest(words.rest());
    if (ruleset === undefined) return problem("ruleset: not a digest");
    if (block.ruleset !== undefined) return problem("ruleset: stands here twice");
    block.ruleset = ruleset;
    return undefined;
  }
  const kind = kinds.find((one) => one === second);
  const name = words.next();
  if (kind === undefined) return problem(`"${visibleStart(second ?? "")}": not ruleset, and no kind of definition`);
  if (name === undefined) return problem("not a name after the kind");
  const definition = definitionAt(block, { server, kind, name }, number);
  const before = problems.count;
  readField(definition, words, number, problem);
  if (problems.count > before) definition.broken = true;
}

function definitionAt(block: ServerBlock, address: Address, number: number): DefinitionBlock {
  const key = addressKey(address);
  const known = block.definitions.get(key);
  if (known !== undefined) {
    known.last = number;
    return known;
  }
  const made = { address, first: number, last: number, set: [], acknowledged: [], broken: false };
  block.definitions.set(key, made);
  return made;
}

function readField(
  definition: DefinitionBlock,
  words: Words,
  number: number,
  problem: (what: string) => undefined,
): undefined {
  const quoted = words.isQuoted();
  const field = words.next();
  if (field === undefined) return problem("not a field or a pointer after the name");
  if (quoted || field.startsWith("/")) return readValue(definition, field as Pointer, words, number, problem);
  switch (field) {
    case "received":
    case "contract":
    case "rendered": {
      const digest = asDigest(words.rest());
      if (digest === undefined) return problem(`${field}: not a digest`);
      if (definition[field] !== undefined) return problem(`${field}: stands here twice`);
      definition[field] = digest;
      return undefined;
    }
    case "prose": {
      const rest = words.rest();
      const prose = proses.find((one) => one === rest);
      if (prose === undefined) return problem(`prose: not one of ${proses.join(", ")}`);
      if (definition.prose !== undefined) return problem("prose: stands here twice");
      definition.prose = prose;
      return undefined;
    }
    case "close":
      if (words.rest() !== "true") return problem("close: not true");
      if (definition.close !== undefined) return problem("close: stands here twice");
      definition.close = true;
      return undefined;
    case "set": {
      const at = words.next();
      const to = scalarIn(words.rest());
      if (at === undefined || to === undefined)
        return problem("set: not a pointer and a string, a boolean or a number");
      definition.set.push({ at: at as Pointer, to });
      return undefined;
    }
    case "acknowledged": {
      const rule = words.next();
      if (rule === undefined || rule === "" || words.rest() !== "")
        return problem("acknowledged: not the id of a rule");
      definition.acknowledged.push(rule);
      return undefined;
    }
    case "expires": {
      const expires = momentIn(words.rest());
      if (expires === undefined) return problem("expires: not a time like 2027-01-31T12:00:00.000Z");
      if (definition.expires !== undefined) return problem("expires: stands here twice");
      definition.expires = expires;
      return undefined;
    }
    default:
      return problem(`"${visibleStart(field)}": no field of an approval, and no pointer`);
  }
}

function readValue(
  definition: DefinitionBlock,
  at: Pointer,
  words: Words,
  line: number,
  problem: (what: string) => undefined,
): undefined {
  definition.value ??= new LockedValue();
  const more = words.skip("+ ");
  const because = definition.value.add({ at, more, value: words.rest() }, line);
  if (because !== undefined) problem(`${visibleStart(at)}: ${because}`);
}

function finish(server: ServerName, block: ServerBlock, problems: Problems): LockedServer | undefined {
  const definitions: LockedDefinition[] = [];
  for (const definition of block.definitions.values()) {
    const one = definition.broken ? undefined : finishDefinition(definition, problems);
    if (one === undefined) block.broken = true;
    else definitions.push(one);
  }
  const { ruleset } = block;
  if (ruleset === undefined && !block.broken) {
    block.broken = true;
    problems.add(block.first, `${server}: no line with its ruleset`);
  }
  if (block.broken || ruleset === undefined) return undefined;
  if (definitions.length === 0) return problems.add(block.first, `${server}: approves nothing`);
  return { server, ruleset, definitions };
}

function finishDefinition(block: DefinitionBlock, problems: Problems): LockedDefinition | undefined {
  const { address, first, received, set, prose, close, expires } = block;
  const { kind } = address;
  const problem = (what: string) => problems.add(first, `${kind} ${visibleStart(address.name)}: ${what}`);
  if (received === undefined) return problem("no digest of what was received");
  const text = block.value?.text();
  if (text === undefined) return problem("no text");
  const reading = readJson(text);
  if (reading.is === "refused") return problem(`a text that is refused: ${reading.refusal.code}`);
  const { json } = reading;
  if (digestOfCanonical(kind, text) !== received) {
    return problem("its text is not the one that was approved: the digest of it is another");
  }
  if (kind !== "launch" && faultsOf(kind, json).length > 0) return problem("a text that is malformed");
  if (new Set(set.map(({ at }) => at)).size < set.length) return problem("set: one place twice");
  const plan = planOf(prose ?? "as-sent", set, close === true);
  const rendering = render(kind, text, received, plan);
  if (rendering.is === "unfit") return problem("a plan that speaks of places that there are not");
  if ((block.contract ?? received) !== rendering.contract) return problem("another digest of the contract");
  if ((block.rendered ?? received) !== rendering.rendering.digest) return problem("another digest of the rendering");
  return {
    ...{ address, received, contract: rendering.contract, rendered: rendering.rendering.digest, plan },
    acknowledged: block.acknowledged.map((rule) => ({ rule })),
    ...(expires === undefined ? {} : { expires }),
    ...{ text, json },
  };
}

/** Two spellings of one approval would be a change without a change. */
function checkSpelling(server: LockedServer, { lines, broken }: ServerBlock, problems: Problems): undefined {
  if (broken) return;
  const canonical = linesOfServer(server);
  for (const [index, { number, text }] of lines.entries()) {
    if (text === canonical[index]) continue;
    return problems.add(
      number,
      "not as it is written here, or not at its place: write the file with countersign lock --anew",
    );
  }
  if (lines.length < canonical.length) throw new RangeError("what was read has more lines than there were");
}

function scalarIn(text: string): Scalar | undefined {
  const reading = readJson(text);
  if (reading.is === "refused") return undefined;
  return scalarOf(reading.json);
}

function scalarOf(json: Json): Scalar | undefined {
  if (json.is === "string" || json.is === "boolean") return json.value;
  if (json.is === "number" && canonicalize(json) === String(Number(json.token))) return Number(json.token);
  return undefined;
}

function momentIn(text: string): number | undefined {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/.test(text)) return undefined;
  // biome-ignore lint/style/noRestrictedGlobals: it reads a text and no clock
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : moment;
}

/** The words of a line, each followed by one space: as they are, or JSON strings. */
class Words {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isQuoted(): boolean {
    return this.#text[this.#at] === '"';
  }

  next(): string | undefined {
    if (this.#at >= this.#text.length) return undefined;
    const end = this.isQuoted() ? this.#behindQuote() : this.#text.indexOf(" ", this.#at);
    const word = this.#text.slice(this.#at, end === -1 ? undefined : end);
    this.#at = end === -1 ? this.#text.length : end + 1;
    if (!word.startsWith('"')) return word;
    const reading = readJson(word);
    return reading.is === "json" && reading.json.is === "string" ? reading.json.value : undefined;
  }

  skip(mark: string): boolean {
    const there = this.#text.startsWith(mark, this.#at);
    if (there) this.#at += mark.length;
    return there;
  }

  rest(): string {
    return this.#text.slice(this.#at);
  }

  /** Where the space is that ends a quoted word; -1 where the line ends with it. */
  #behindQuote(): number {
    for (let at = this.#at + 1; at < this.#text.length; at++) {
      if (this.#text[at] === "\\") at++;
      else if (this.#text[at] === '"') return at + 1 < this.#text.length ? at + 1 : -1;
    }
    return -1;
  }
}
