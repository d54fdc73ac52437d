import { foldedKey, type Json, lists, memberOf, readJson, type ServerName, serverInfoKey } from "@countersign/core";
import { type FrameRefusal, type Id, idOf } from "../frame.ts";
import { looseKeyAmong } from "../loose-key.ts";
import { oneLine } from "../one-line.ts";
import { ownInfoIn } from "../serve.ts";
import { spliced } from "../splice.ts";
import { uncachedIn } from "../uncached.ts";
import { JsonStream, JsonStreamFault, type JsonStreamLimits, type Lot } from "./json-stream.ts";

/** Why an answer was cut off. */
export type CutCode =
  | FrameRefusal["code"]
  /** It is the answer to another request. */
  | "OTHER_ID"
  /** It asks for something, carries definitions, or is not complete: what passes only when it was judged whole. */
  | "NOT_PLAIN"
  /** It broke off. */
  | "LOST";

export type RelayVerdict =
  | { readonly is: "complete" }
  /**
   * `begun`: something of it was written, so that whoever reads it must see that it broke off. Otherwise it can be answered
   * with an error.
   */
  | { readonly is: "cut"; readonly code: CutCode; readonly begun: boolean };

export interface AnswerRelayOptions {
  /** The id of the request, as the server was given it. */
  readonly expects: Pick<Id, "key">;
  /** The id of the host's request, as the host spelled it. */
  readonly hostId: string;
  readonly server: ServerName;
  /** Canonical forms of the `serverInfo` that the result may repeat. */
  readonly accepted: ReadonlySet<string>;
  /** Takes bytes of one message, on one line. False: it wants no more for now; what it is given all the same it keeps. */
  readonly write: (bytes: Buffer) => boolean;
  readonly limits?: Partial<JsonStreamLimits>;
}

/**
 * Passes one large result on as it comes, in an envelope of its own. What `readFrame` would refuse, and what only an answer
 * that is held may say, cuts it off: nothing more is written, and above all not its end. Nothing of a piece is written before
 * all of the piece was looked at.
 */
export class AnswerRelay {
  readonly #options: AnswerRelayOptions;
  readonly #stream: JsonStream;
  /** The member whose value is held. */
  #member = "";
  #seen = { version: false, id: false, result: false };
  #begun = false;
  #verdict: RelayVerdict | undefined;

  constructor(options: AnswerRelayOptions) {
    this.#options = options;
    this.#stream = new JsonStream(
      {
        member: (depth, key) => (depth === 1 ? this.#envelope(key) : this.#result(key)),
        held: (text) => this.#held(text),
        opens: () => `{"jsonrpc":"2.0","id":${options.hostId},"result":`,
      },
      { ...defaultLimits, ...options.limits },
    );
  }

  /** Undefined while it is not known. */
  get verdict(): RelayVerdict | undefined {
    return this.#verdict;
  }

  /** Whether more may come at once. False as well when it is cut off: see `verdict`. */
  push(piece: Uint8Array): boolean {
    if (this.#verdict !== undefined) return false;
    try {
      this.#stream.push(piece);
    } catch (error) {
      return this.#cut(codeOf(error));
    }
    const bytes = this.#stream.take();
    if (bytes === undefined) return true;
    this.#begun = true;
    return this.#options.write(bytes);
  }

  /** @param complete whether the server ended the message, rather than that it was lost */
  end(complete: boolean): RelayVerdict {
    if (this.#verdict !== undefined) return this.#verdict;
    const { version, id, result } = this.#seen;
    if (!complete) this.#cut("LOST");
    else if (!this.#stream.isWhole) this.#cut("NOT_JSON");
    else if (!version || !result) this.#cut("NOT_JSON_RPC");
    else if (!id) this.#cut("BAD_ID");
    this.#verdict ??= { is: "complete" };
    // Whatever reader looks at the message before this byte finds that it is not whole.
    if (this.#verdict.is === "complete") this.#options.write(Buffer.from("}"));
    return this.#verdict;
  }

  #cut(code: CutCode): false {
    this.#verdict = { is: "cut", code, begun: this.#begun };
    return false;
  }

  #envelope(key: string): Lot {
    switch (key) {
      case "jsonrpc":
      case "id":
        this.#member = key;
        return "held";
      case "result":
        this.#seen.result = true;
        return "opened";
      case "error":
        // An error answer that is this long is none that passes.
        throw new Cut(this.#seen.result ? "REQUEST_AND_RESPONSE" : "TOO_LARGE");
      case "method":
      case "params":
        throw new Cut("REQUEST_AND_RESPONSE");
      default:
        throw new Cut("UNKNOWN_ENVELOPE_KEY");
    }
  }

  #result(key: string): Lot {
    const known = resultMembers.get(folded(key));
    if (known === undefined) return "passes";
    if (known.key !== key) throw new Cut("TWIN_KEY");
    if (!known.passes) throw new Cut("NOT_PLAIN");
    this.#member = key;
    return "held";
  }

  #held(text: string): string | undefined {
    switch (this.#member) {
      case "jsonrpc": {
        const version = jsonOf(text);
        if (version.is !== "string" || version.value !== "2.0") throw new Cut("NOT_JSON_RPC");
        this.#seen.version = true;
        return undefined;
      }
      case "id": {
        const id = idOf(text, jsonOf(text));
        if (id === "bad") throw new Cut("BAD_ID");
        if (id.key !== this.#options.expects.key) throw new Cut("OTHER_ID");
        this.#seen.id = true;
        return undefined;
      }
      default:
        return oneLine(this.#served(text));
    }
  }

  /** A member of the result, as the result would be served that has no other. */
  #served(value: string): string {
    const head = `{"${this.#member}":`;
    const text = `${head}${value}}`;
    const result = jsonOf(text);
    const type = memberOf(result, "resultType");
    if (type !== undefined && !(type.is === "string" && type.value === "complete")) throw new Cut("NOT_PLAIN");
    if (looseInfo(memberOf(result, "_meta")) !== undefined) throw new Cut("TWIN_KEY");
    const { server, accepted } = this.#options;
    const splices = [...uncachedIn(result, text), ...ownInfoIn({ text, result }, server, accepted)];
    return spliced(text, splices).slice(head.length, -1);
  }
}

const defaultLimits: JsonStreamLimits = {
  bytes: 8 * 1024 * 1024 * 1024,
  held: 64 * 1024,
  keys: 16 * 1024 * 1024,
};

class Cut extends Error {
  readonly code: CutCode;

  constructor(code: CutCode) {
    super(code);
    this.code = code;
  }
}

function codeOf(error: unknown): CutCode {
  if (error instanceof Cut || error instanceof JsonStreamFault) return error.code;
  throw error;
}

function jsonOf(text: string): Json {
  const reading = readJson(text);
  if (reading.is === "refused") throw new Cut(reading.refusal.code);
  return reading.json;
}

/** Compatibility forms (`ｉd`) as well: what is refused for it could not be taken back once it is written. */
function folded(key: string): string {
  return foldedKey(key.normalize("NFKC"));
}

/** The members of a result by which something is decided, by their folded keys. Of those that pass, it is looked at what they say. */
const resultMembers: ReadonlyMap<string, { readonly key: string; readonly passes: boolean }> = new Map([
  ...byFoldedKey(["resultType", "_meta", "ttlMs", "cacheScope"], true),
  ...byFoldedKey(["inputRequests", "requestState", "nextCursor"], false),
  ...byFoldedKey(["skills", "instructions", "serverInfo", "capabilities"], false),
  ...[...lists.values()].flatMap(({ list }) => byFoldedKey([list], false)),
]);

function byFoldedKey(keys: readonly string[], passes: boolean) {
  return keys.map((key) => [folded(key), { key, passes }] as const);
}

const looseInfo = looseKeyAmong(serverInfoKey);
