import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

/**
 * Has what a large message left behind collected at once. A message takes up to five times its length while it passes (bytes
 * as they came, joined, decoded, and encoded again); left to itself, V8 would often take in the next one before it looks, and
 * a server that sends one after another decides how much memory is held. A collection takes some 10 ms, a small part of
 * what such a message takes to be read.
 *
 * @param length bytes of the message that has passed
 */
export function reclaimAfter(length: number): void {
  if (length < large) return;
  collect ??= collector();
  setImmediate(collect);
}

/** Bytes. */
const large = 4 * 1024 * 1024;

/** Node has no function for it unless started with a flag that only whoever starts it can give. */
function collector(): () => void {
  setFlagsFromString("--expose-gc");
  const found: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  return typeof found === "function" ? () => void found() : () => undefined;
}
