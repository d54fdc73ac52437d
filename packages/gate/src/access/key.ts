import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import { asKeyHash, asKeyId, type KeyHash, type KeyId } from "@countersign/ledger";

/**
 * `csk_`, the eight characters by which it is known, 43 for 256 random bits, and six that hold a CRC-32 of all before: so
 * that a slip of the pen is told from a key that is not known, and so that what searches for secrets finds only keys.
 */
const form = /^csk_(?<id>[0-9A-Za-z]{8})[0-9A-Za-z]{43}(?<sum>[0-9A-Za-z]{6})$/;

export interface NewKey {
  readonly id: KeyId;
  /** Told once, and never kept. */
  readonly text: string;
  readonly hash: KeyHash;
}

/** @param random so many random bytes */
export function newKey(random: (bytes: number) => Buffer = randomBytes): NewKey {
  const id = asKeyId(inLetters(random(16), 8));
  if (id === undefined) throw new RangeError("eight letters are an identifier");
  const body = `csk_${id}${inLetters(random(32), 43)}`;
  const text = `${body}${sumOf(body)}`;
  return { id, text, hash: hashOfKey(text) };
}

/** Only that it is written like a key. Undefined also where it holds a slip. */
export function keyIdIn(text: string): KeyId | undefined {
  const { id = "", sum } = form.exec(text)?.groups ?? {};
  return sum !== undefined && sum === sumOf(text.slice(0, -sum.length)) ? asKeyId(id) : undefined;
}

/** Whether somebody meant it for a key of a gateway. */
export function looksLikeKey(text: string): boolean {
  return text.startsWith("csk_");
}

export function hashOfKey(text: string): KeyHash {
  const hash = asKeyHash(`sha256:${createHash("sha256").update(text).digest("hex")}`);
  if (hash === undefined) throw new RangeError("a SHA-256 is a hash");
  return hash;
}

/** In the same time, whatever they hold. */
export function isHashOf(text: string, hash: KeyHash): boolean {
  return timingSafeEqual(Buffer.from(hashOfKey(text)), Buffer.from(hash));
}

function sumOf(body: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(body));
  return inLetters(bytes, 6);
}

/** The last `length` digits of a number to the base 62. */
function inLetters(bytes: Buffer, length: number): string {
  let rest = BigInt(`0x${bytes.toString("hex")}`);
  let text = "";
  for (let digits = 0; digits < length; digits++) {
    text = (letters[Number(rest % 62n)] ?? "") + text;
    rest /= 62n;
  }
  return text;
}

const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
