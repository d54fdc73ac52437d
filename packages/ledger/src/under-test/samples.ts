import { asServerName, digestOf, digestOfCanonical, offerDigest, readJson, type ServerName } from "@countersign/core";
import type { Approved, Bypassed, Enforced, KeyAdded, KeyRevoked, Seen, Sighted, Withdrawn } from "../event.ts";
import { asKeyHash, asKeyId, asKeyName, type KeyId, type KeyName } from "../key.ts";
import { asPrincipalId, type PrincipalId } from "../principal.ts";
import type { Text } from "../text.ts";

const policy = digestOfCanonical("policy", "[]");
const ruleset = digestOfCanonical("ruleset", "[]");

export function serverNamed(name: string): ServerName {
  const server = asServerName(name);
  if (server === undefined) throw new RangeError(`${name} is not a server name`);
  return server;
}

/** A definition as an offer holds it: where it is, and its text. */
export interface Sample extends Seen, Text {}

export function sampleTool(name: string, description = ""): Sample {
  return sample("tool", name, JSON.stringify({ name, description, inputSchema: { type: "object" } }));
}

export function sample(kind: Seen["kind"], name: string, text: string): Sample {
  const reading = readJson(text);
  if (reading.is === "refused") throw new RangeError(`${text} is not JSON`);
  const digest = digestOf(kind, reading.json);
  return { kind, name, received: digest, digest, text };
}

export function seen({ kind, name, received }: Sample): Seen {
  return { kind, name, received };
}

export function sighting(server: ServerName, samples: readonly Sample[], more: Partial<Sighted> = {}): Sighted {
  const definitions = samples.map(seen);
  const offer = offerDigest(definitions.map((one) => ({ address: one, received: one.received })));
  return { is: "sighted", server, source: "tools/list", offer, definitions, malformed: [], ...more };
}

export function approval(server: ServerName, samples: readonly Sample[], more: Partial<Approved> = {}): Approved {
  const definitions = samples.map((one) => ({
    ...seen(one),
    contract: one.received,
    rendered: one.received,
    plan: { prose: "as-sent" as const },
    acknowledged: [],
  }));
  return { is: "approved", server, definitions, by: "ada", ruleset, policy, ...more };
}

export function withdrawal(is: Withdrawn["is"], server: ServerName, samples: readonly Sample[]): Withdrawn {
  return { is, server, definitions: samples.map(seen), by: "ada" };
}

export function bypass(server: ServerName, until: number): Bypassed {
  return { is: "bypassed", server, until, by: "ada" };
}

export function end(server: ServerName): Enforced {
  return { is: "enforced", server, by: "ada" };
}

export function keyAdded(key: string, name: string, more: Partial<KeyAdded> = {}): KeyAdded {
  const hash = digestOfCanonical("policy", JSON.stringify(key)).slice("cs1:".length);
  return { is: "key-added", key: keyId(key), name: named(name), hash: must(asKeyHash(hash)), by: "ada", ...more };
}

export function keyRevoked(key: string): KeyRevoked {
  return { is: "key-revoked", key: keyId(key), by: "ada" };
}

export function keyId(text: string): KeyId {
  return must(asKeyId(text));
}

export function principalId(text: string): PrincipalId {
  return must(asPrincipalId(text));
}

export function named(text: string): KeyName {
  return must(asKeyName(text));
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError("a sample is not what it is to be a sample of");
  return value;
}
