import type { ServerName } from "@countersign/core";

declare const brand: unique symbol;

/** What of a key may be known: it says which one is meant. */
export type KeyId = string & { readonly [brand]: "KeyId" };

/** The operator's name for whoever holds a key. */
export type KeyName = string & { readonly [brand]: "KeyName" };

/** Of the whole key. It holds 256 random bits, so that nothing slower than SHA-256 is needed. */
export type KeyHash = `sha256:${string}` & { readonly [brand]: "KeyHash" };

export function asKeyId(text: string): KeyId | undefined {
  return /^[0-9A-Za-z]{8}$/.test(text) ? (text as KeyId) : undefined;
}

export function asKeyName(text: string): KeyName | undefined {
  return /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/.test(text) ? (text as KeyName) : undefined;
}

export function asKeyHash(text: string): KeyHash | undefined {
  return /^sha256:[0-9a-f]{64}$/.test(text) ? (text as KeyHash) : undefined;
}

/** A key as all decisions about it leave it. */
export interface AccessKey {
  readonly key: KeyId;
  readonly name: KeyName;
  readonly hash: KeyHash;
  /** The only servers that it may use; absent where it may use all. */
  readonly servers?: readonly ServerName[];
  /** Milliseconds since 1970. */
  readonly expires?: number;
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly revoked?: { readonly at: number; readonly by: string };
}

/** Whether a key opens anything: `now` is in milliseconds since 1970. */
export function keyStanding({ revoked, expires }: AccessKey, now: number): "live" | "revoked" | "expired" {
  if (revoked !== undefined) return "revoked";
  return expires !== undefined && expires <= now ? "expired" : "live";
}
