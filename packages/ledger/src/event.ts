import {
  type Acknowledgement,
  type Digest,
  type Kind,
  type Malformed,
  offerDigest,
  type Plan,
  type ServerName,
  type Source,
} from "@countersign/core";
import type { KeyHash, KeyId, KeyName } from "./key.ts";
import type { PrincipalId } from "./principal.ts";

/** One definition at one digest. `name` is server-controlled and may hold anything. */
export interface Seen {
  readonly kind: Kind;
  readonly name: string;
  readonly received: Digest;
}

export interface ApprovedDefinition extends Seen {
  readonly contract: Digest;
  readonly rendered: Digest;
  readonly plan: Plan;
  readonly acknowledged: readonly Acknowledgement[];
}

/** A server offered something else than the last time that it was asked for this source. */
export interface Sighted {
  readonly is: "sighted";
  readonly server: ServerName;
  readonly source: Source;
  /** Of `definitions`: docs/format.md §4. */
  readonly offer: Digest;
  readonly definitions: readonly Seen[];
  readonly malformed: readonly Malformed[];
  /** Code units of the texts that are not those of the sighting before; absent where they are few. */
  readonly size?: number;
  /** It is offered to this principal, and something else in common; absent where it is what is offered in common. */
  readonly principal?: PrincipalId;
}

/** One decision of one person (or of the policy) over everything that was displayed at once. */
export interface Approved {
  readonly is: "approved";
  readonly server: ServerName;
  readonly definitions: readonly ApprovedDefinition[];
  readonly by: string;
  readonly reason?: string;
  readonly ruleset: Digest;
  readonly policy: Digest;
  /** Milliseconds since 1970. */
  readonly expires?: number;
  /** The set that was shown; what was approved may be a part of it. */
  readonly offer?: Digest;
  /** Some of it was too long to be displayed at once, and nobody saw the rest: whoever approved it said so. */
  readonly unseen?: true;
  /** A variant: what these are offered, beside what is bound in common. Sorted. Absent where it is for all. */
  readonly principals?: readonly PrincipalId[];
}

/** `rejected`: never let this in. `revoked`: it was in, and is no longer. */
export interface Withdrawn {
  readonly is: "rejected" | "revoked";
  readonly server: ServerName;
  readonly definitions: readonly Seen[];
  readonly by: string;
  readonly reason?: string;
}

/** Everything of the server passes, approved or not, until it is over or ended. It says nothing about any definition. */
export interface Bypassed {
  readonly is: "bypassed";
  readonly server: ServerName;
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly by: string;
  readonly reason?: string;
}

/** The end of a bypass before its time. */
export interface Enforced {
  readonly is: "enforced";
  readonly server: ServerName;
  readonly by: string;
  readonly reason?: string;
}

/** Decisions and sightings, each about one server. */
export type ServerEvent = Sighted | Approved | Withdrawn | Bypassed | Enforced;

/** Somebody who holds the key may call the gateway. What is kept of it cannot be used in its place. */
export interface KeyAdded {
  readonly is: "key-added";
  readonly key: KeyId;
  /** The operator's. Several keys may have it; they are one principal. */
  readonly name: KeyName;
  readonly hash: KeyHash;
  /** The only servers that it may use; absent where it may use all. */
  readonly servers?: readonly ServerName[];
  /** Milliseconds since 1970. */
  readonly expires?: number;
  readonly by: string;
  readonly reason?: string;
}

/** For ever: an identifier names one key. */
export interface KeyRevoked {
  readonly is: "key-revoked";
  readonly key: KeyId;
  readonly by: string;
  readonly reason?: string;
}

/** Decisions about who may call the gateway, about no server in particular. */
export type KeyEvent = KeyAdded | KeyRevoked;

/** What the journal holds. */
export type Event = ServerEvent | KeyEvent;

export function isKeyEvent(event: Event): event is KeyEvent {
  return event.is === "key-added" || event.is === "key-revoked";
}

/** The digests whose texts a ledger must hold before it takes the event. */
export function textsNeededBy(event: Event): readonly Digest[] {
  switch (event.is) {
    case "sighted":
      return event.definitions.map(({ received }) => received);
    case "approved":
      return event.definitions.flatMap(({ received, rendered }) => [received, rendered]);
    case "rejected":
    case "revoked":
    case "bypassed":
    case "enforced":
    case "key-added":
    case "key-revoked":
      return [];
  }
}

/** Whether the digest of a sighted offer is that of its definitions. */
export function hasOwnOffer(event: Event): boolean {
  if (event.is !== "sighted") return true;
  const rows = event.definitions.map(({ kind, name, received }) => ({ address: { kind, name }, received }));
  return event.offer === offerDigest(rows);
}
