import {
  type Address,
  addressKey,
  type Binding,
  type Digest,
  emptySnapshot,
  type LockedServer,
  render,
  type Snapshot,
} from "@countersign/core";
import { type Policy, policyDigest } from "@countersign/judge";

/** What is approved besides: by the other servers of the lockfile. */
export interface Beside {
  readonly neighbours: readonly Address[];
  readonly identified: readonly string[];
}

/** A ledger in which nothing is approved but what a lockfile says of one server. How it is reached is another question. */
export function snapshotOfLock(locked: LockedServer, beside: Beside, policy: Policy, now: number): Snapshot {
  const bindings = new Map<string, Binding>();
  const texts = new Map<Digest, string>();
  const under = policyDigest(policy);
  for (const { address, text, json: _, ...approved } of locked.definitions) {
    if (address.kind === "launch") continue;
    const { received, rendered, plan } = approved;
    texts.set(received, text);
    if (rendered !== received) {
      const made = render(address.kind, text, received, plan);
      if (made.is === "unfit") throw new RangeError("a plan that was read fits");
      texts.set(rendered, made.rendering.text);
    }
    bindings.set(addressKey(address), {
      ...{ address, ...approved },
      ...{ by: "countersign.lock", seq: 0, ruleset: locked.ruleset, policy: under },
    });
  }
  return { ...emptySnapshot, ...beside, now, bindings, texts };
}

/** What `server` stands beside in its lockfile. */
export function besideOf(server: LockedServer, servers: readonly LockedServer[]): Beside {
  const tools = servers
    .filter((one) => one !== server)
    .flatMap(({ definitions }) => definitions.filter(({ address }) => address.kind === "tool"));
  return {
    neighbours: tools.map(({ address }) => address),
    identified: tools.map(({ text }) => text).filter((text) => text.includes('$id"')),
  };
}
