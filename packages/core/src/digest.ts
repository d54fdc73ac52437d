import { createHash } from "node:crypto";
import type { Kind } from "./address.ts";
import { canonicalize } from "./canonical.ts";
import type { Json } from "./json.ts";

declare const brand: unique symbol;

/** `cs1:sha256:` and 64 lower-case hex digits: docs/format.md §3. */
export type Digest = `cs1:sha256:${string}` & { readonly [brand]: "Digest" };

/** What a digest is of. Two things of different domains never share a digest, whatever their bytes are. */
export type Domain = Kind | "offer" | "policy" | "ruleset" | "model" | "event";

/** The digest of a value, whatever its spelling: docs/format.md §3. */
export function digestOf(domain: Domain, json: Json): Digest {
  return digestOfCanonical(domain, canonicalize(json));
}

/** `canonical` must be a canonical form already. */
export function digestOfCanonical(domain: Domain, canonical: string): Digest {
  return `cs1:sha256:${createHash("sha256").update(`cs1:${domain}\n${canonical}`, "utf8").digest("hex")}` as Digest;
}

/** The digest that `text` spells, if it spells one. */
export function asDigest(text: string): Digest | undefined {
  return /^cs1:sha256:[0-9a-f]{64}$/.test(text) ? (text as Digest) : undefined;
}
