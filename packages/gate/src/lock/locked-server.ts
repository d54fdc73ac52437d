import {
  addressKey,
  type Binding,
  canonicalize,
  digestOf,
  type Json,
  type Kind,
  type LockedDefinition,
  type LockedServer,
  readJson,
  type Snapshot,
} from "@countersign/core";
import { type Standing, waits } from "../standing.ts";
import { portableLaunch } from "./portable-launch.ts";

/** A definition that is in no lockfile, and why. */
export interface LeftOut {
  readonly kind: Kind;
  readonly name: string;
  /**
   * `WAITS`: nobody has approved what is offered. `GONE`: approved, and no longer offered. `EXPIRED`: approved for a time that is
   * over. `VARIANT`: approved for some principals only, and another text may be locked.
   */
  readonly because: "WAITS" | "GONE" | "EXPIRED" | "VARIANT";
}

/**
 * What the ledger approves of a server, as a lockfile holds it; undefined where that is nothing.
 *
 * @param set variables that the project's host configs set for the server
 */
export function lockedServer(
  standing: Standing,
  set: ReadonlySet<string>,
): { server: LockedServer | undefined; leftOut: readonly LeftOut[] } {
  const { server, snapshot, gone } = standing;
  const left = new Set(gone.map(({ kind, name }) => `${kind} ${name}`));
  const leftOut: LeftOut[] = [];
  const bindings: Binding[] = [];
  // Where nothing was ever sighted, nothing is gone: it was approved by way of another lockfile.
  const sighted = standing.definitions.some(({ definition }) => definition.address.kind !== "launch");
  for (const binding of snapshot.bindings.values()) {
    const { kind, name } = binding.address;
    if (binding.expires !== undefined && binding.expires <= snapshot.now) {
      leftOut.push({ kind, name, because: "EXPIRED" });
    } else if (sighted && kind !== "launch" && left.has(addressKey(binding.address))) {
      leftOut.push({ kind, name, because: "GONE" });
    } else bindings.push(binding);
  }
  for (const stood of standing.definitions) {
    if (!waits(stood)) continue;
    const { kind, name } = stood.definition.address;
    if (!leftOut.some((one) => one.kind === kind && one.name === name)) leftOut.push({ kind, name, because: "WAITS" });
  }
  const variants = [...(snapshot.variants?.of.values() ?? [])].flatMap((own) => [...own]);
  for (const { address } of new Map(variants).values())
    leftOut.push({ kind: address.kind, name: address.name, because: "VARIANT" });
  const newest = bindings.reduce<Binding | undefined>(
    (newest, one) => (newest === undefined || one.seq > newest.seq ? one : newest),
    undefined,
  );
  if (newest === undefined) return { server: undefined, leftOut };
  const definitions = bindings.map((binding) => lockedDefinition(binding, snapshot, set));
  return { server: { server, ruleset: newest.ruleset, definitions }, leftOut };
}

function lockedDefinition(binding: Binding, snapshot: Snapshot, set: ReadonlySet<string>): LockedDefinition {
  const { address, received, contract, rendered, plan, acknowledged, expires } = binding;
  const stored = jsonOf(snapshot.texts.get(received), received);
  const common = {
    ...{ address, plan, acknowledged },
    ...(expires === undefined ? {} : { expires }),
  };
  if (address.kind === "launch") {
    const json = portableLaunch(stored, set);
    const digest = digestOf("launch", json);
    return { ...common, received: digest, contract: digest, rendered: digest, text: canonicalize(json), json };
  }
  return { ...common, received, contract, rendered, text: canonicalize(stored), json: stored };
}

function jsonOf(text: string | undefined, digest: string): Json {
  const reading = text === undefined ? undefined : readJson(text);
  if (reading?.is === "json") return reading.json;
  throw new Error(`Cannot lock ${digest}: the ledger lacks its text; run countersign log --verify`);
}
