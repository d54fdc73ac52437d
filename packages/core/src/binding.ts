import type { Address } from "./address.ts";
import type { Digest } from "./digest.ts";
import type { Plan } from "./plan.ts";

/** Somebody saw this rule speak about this digest, and approved all the same. It says nothing about another digest. */
export interface Acknowledgement {
  readonly rule: string;
}

/** One approved definition: what an approval left behind in the ledger. */
export interface Binding {
  readonly address: Address;
  /** As the server sent it; without the carriers that the plan masks; as the host gets it. docs/format.md §3. */
  readonly received: Digest;
  readonly contract: Digest;
  readonly rendered: Digest;
  readonly plan: Plan;
  readonly acknowledged: readonly Acknowledgement[];
  readonly by: string;
  /** The ledger's sequence number of the approval. */
  readonly seq: number;
  /** Of the rules and of the policy that stood when it was approved. */
  readonly ruleset: Digest;
  readonly policy: Digest;
  /** Milliseconds since 1970. */
  readonly expires?: number;
}

/** Everything the gates need to know that the server did not send. It is read first; the ruling itself is pure. */
export interface Snapshot {
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** By `addressKey`. */
  readonly bindings: ReadonlyMap<string, Binding>;
  /** Digests that somebody turned down, by `addressKey` and digest (see `withdrawnKey`). */
  readonly withdrawn: ReadonlyMap<string, "REJECTED" | "REVOKED">;
  /** The text of every `received` and `rendered` digest in `bindings`. */
  readonly texts: ReadonlyMap<Digest, string>;
  /** Names of the tools that other servers have approved. */
  readonly neighbours: readonly Address[];
  /** Texts of tools that other servers have approved and in which something may be a schema's identifier. */
  readonly identified: readonly string[];
  /** Milliseconds since 1970. Set while the server changes too often for the ledger to hold all that it offers. */
  readonly unstableUntil?: number;
  /** Set while somebody has decided that everything of the server passes. Milliseconds since 1970. */
  readonly bypass?: { readonly from: number; readonly until: number; readonly by: string; readonly reason?: string };
  /** How the server is reached: the `received` digest of its launch. Undefined where nothing was launched to reach it. */
  readonly launch: Digest | undefined;
}

/** Of a ledger that nothing is decided in, about a server that nothing was launched to reach. */
export const emptySnapshot: Snapshot = {
  ...{ seq: 0, now: 0, bindings: new Map(), withdrawn: new Map(), texts: new Map() },
  ...{ neighbours: [], identified: [], launch: undefined },
};

/**
 * The key in `Snapshot.withdrawn`.
 *
 * @param key by `addressKey`
 */
export function withdrawnKey(digest: Digest, key: string): string {
  return `${digest} ${key}`;
}

/** The `addressKey` that a `withdrawnKey` was made of. */
export function withdrawnAddressKey(key: string): string {
  return key.slice(key.indexOf(" ") + 1);
}
