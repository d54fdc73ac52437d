import {
  canonicalize,
  decodeUtf8,
  type Json,
  type JsonObject,
  type JsonRefusal,
  jsonLimits,
  type Member,
  type Page,
  readJson,
} from "@countersign/core";
import { looseKeyAmong } from "./loose-key.ts";
import { growthOf } from "./one-line.ts";

/** One JSON-RPC message as it came. All offsets in it count in `text`, but those of a result in the text of its page. */
export type Frame =
  | { readonly is: "request"; readonly text: string; readonly id: Id; readonly method: string; readonly params: Params }
  | { readonly is: "notification"; readonly text: string; readonly method: string; readonly params: Params }
  | {
      readonly is: "result";
      readonly text: string;
      readonly id: Id;
      readonly page: Page;
      /** The message, where it is known to be on one line for every reader (see `oneLine`), so that it need not be encoded. */
      readonly bytes?: Uint8Array;
    }
  | { readonly is: "error"; readonly text: string; readonly id: Id; readonly error: Json };

/** An object, if there are any. */
type Params = JsonObject | undefined;

/** A request id. `key` is its canonical form: the string "1" and the number 1 are two ids, 1 and 1.0 are one. */
export interface Id {
  readonly key: string;
  /** As it was spelled; an answer repeats it. */
  readonly text: string;
  /** Where in the message it stands. */
  readonly start: number;
}

export interface FrameRefusal {
  readonly code:
    | JsonRefusal["code"]
    | "BAD_UTF8"
    | "BATCH"
    | "NOT_JSON_RPC"
    | "UNKNOWN_ENVELOPE_KEY"
    | "REQUEST_AND_RESPONSE"
    | "TWIN_KEY"
    | "BAD_ID";
  /** Code units into the message; 0 where it is about the whole. */
  readonly at: number;
}

export type FrameReading =
  | { readonly is: "frame"; readonly frame: Frame }
  | { readonly is: "refused"; readonly refusal: FrameRefusal };

/** No message is read that is longer: three bytes are the most that one code unit takes in UTF-8. */
export const maxFrameBytes = jsonLimits.length;

/** Reads one message from a line, without its LF. Total: whatever the bytes are, it is a frame or a named refusal. */
export function readFrame(bytes: Uint8Array): FrameReading {
  const text = decodeUtf8(bytes);
  if (text === undefined) return refused("BAD_UTF8", 0);
  if (bytes.length + growthOf(text) > maxFrameBytes) return refused("TOO_LARGE", 0);
  const reading = readJson(text);
  if (reading.is === "refused") return reading;
  const { json } = reading;
  if (json.is === "array") return refused("BATCH", json.start);
  if (json.is !== "object") return refused("NOT_JSON_RPC", json.start);
  return readEnvelope(text, json.members);
}

/** The members of a JSON-RPC message. */
interface Envelope {
  version?: Json;
  id?: Json;
  method?: Json;
  params?: Json;
  result?: Json;
  error?: Json;
}

function readEnvelope(text: string, members: readonly Member[]): FrameReading {
  const of: Envelope = {};
  for (const { key, start, value } of members) {
    switch (key) {
      case "jsonrpc":
        of.version = value;
        break;
      case "id":
      case "method":
      case "params":
      case "result":
      case "error":
        of[key] = value;
        break;
      default:
        // A look-alike of a known key (`Result`, `ſ`) is unknown as well; so this also keeps hosts that fold case to one reading.
        return refused("UNKNOWN_ENVELOPE_KEY", start);
    }
  }
  const { version, method, params, result, error } = of;
  if (version?.is !== "string" || version.value !== "2.0") return refused("NOT_JSON_RPC", 0);
  const answers = result !== undefined || error !== undefined;
  if (answers && (method !== undefined || params !== undefined)) return refused("REQUEST_AND_RESPONSE", 0);
  if (result !== undefined && error !== undefined) return refused("REQUEST_AND_RESPONSE", 0);
  const id = of.id === undefined ? undefined : idOf(text, of.id);
  if (id === "bad") return refused("BAD_ID", of.id?.start ?? 0);
  if (!answers) {
    if (method?.is !== "string" || (params !== undefined && params.is !== "object")) return refused("NOT_JSON_RPC", 0);
    const twin = looseParam(params);
    if (twin !== undefined) return refused("TWIN_KEY", twin.start);
    return id === undefined
      ? { is: "frame", frame: { is: "notification", text, method: method.value, params } }
      : { is: "frame", frame: { is: "request", text, id, method: method.value, params } };
  }
  if (id === undefined) return refused("BAD_ID", 0);
  if (result !== undefined) {
    if (result.is !== "object") return refused("NOT_JSON_RPC", result.start);
    return { is: "frame", frame: { is: "result", text, id, page: { text, result } } };
  }
  if (error?.is !== "object") return refused("NOT_JSON_RPC", 0);
  return { is: "frame", frame: { is: "error", text, id, error } };
}

/** What decides here which definition a message means, and what a server does with it. */
const looseParam = looseKeyAmong(
  ...["name", "arguments", "uri", "ref", "argument", "cursor", "requestId", "notifications", "_meta"],
);

/** MCP: a string or an integer, never null. */
export function idOf(text: string, json: Json): Id | "bad" {
  if (json.end - json.start > maxIdLength) return "bad";
  const { start } = json;
  const spelled = text.slice(start, json.end);
  // As almost every id is: a small integer, which is its own canonical form.
  if (/^(?:0|[1-9][0-9]{0,14})$/.test(spelled)) return { key: spelled, text: spelled, start };
  const key = canonicalize(json);
  if (json.is !== "string" && !(json.is === "number" && /^-?[0-9]+$/.test(key))) return "bad";
  return { key, text: spelled, start };
}

/** Code units of an id as it is spelled: ids of open requests are kept, and others' logs and maps keep them too. */
const maxIdLength = 1_024;

function refused(code: FrameRefusal["code"], at: number): FrameReading {
  return { is: "refused", refusal: { code, at } };
}

/**
 * The id that a refused message seems to carry, to answer the one who waits for it. Nothing else of the message is used,
 * and the answer is our own, so a wrong guess can only spoil a request of the sender's own peer.
 */
export function guessId(bytes: Uint8Array): string | undefined {
  const ends = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const text = `${ends.toString("latin1", 0, 4096)} ${ends.length > 4096 ? ends.toString("latin1", Math.max(4096, ends.length - 4096)) : ""}`;
  return /"id"\s*:\s*(-?[0-9]{1,15}(?![0-9.eE])|"[A-Za-z0-9_:.-]{1,128}")/.exec(text)?.[1];
}
