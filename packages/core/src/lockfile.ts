import type { Address, Kind, ServerName } from "./address.ts";
import type { Acknowledgement } from "./binding.ts";
import type { Digest } from "./digest.ts";
import type { Json } from "./json.ts";
import type { Plan } from "./plan.ts";

/** A snapshot of approvals for version control and CI: docs/format.md §8. */
export interface Lockfile {
  readonly servers: readonly LockedServer[];
}

/** What a lockfile approves of one server. */
export interface LockedServer {
  readonly server: ServerName;
  /** The rules that had their say on the newest of these approvals. */
  readonly ruleset: Digest;
  /** In the order of `lockedOrder`, no two at one address. */
  readonly definitions: readonly LockedDefinition[];
}

/** One approval, with the text that it is over. A launch is only as much of it as another machine has, too. */
export interface LockedDefinition {
  readonly address: Address;
  readonly received: Digest;
  readonly contract: Digest;
  readonly rendered: Digest;
  readonly plan: Plan;
  readonly acknowledged: readonly Acknowledgement[];
  /** Milliseconds since 1970. */
  readonly expires?: number;
  /** The canonical form: how a server spelled it is no part of an approval. */
  readonly text: string;
  readonly json: Json;
}

/** Whoever wrote the file wrote `what`, in part: it has been made visible. */
export interface LockfileProblem {
  /** From 1. */
  readonly line: number;
  readonly what: string;
}

/** A file is no lockfile, or not all of it is. Nothing of it counts. */
export class LockfileError extends Error {
  override readonly name = "LockfileError";
  readonly problems: readonly LockfileProblem[];

  constructor(problems: readonly LockfileProblem[]) {
    super(`Cannot read a lockfile: ${problems.map(({ line, what }) => `line ${line}: ${what}`).join("; ")}`);
    this.problems = problems;
  }
}

/** What decides what runs comes first, then what a model reads without asking. A kind without a place does not compile. */
const places: Readonly<Record<Kind, number>> = {
  ...{ launch: 0, server: 1, instructions: 2, tool: 3, prompt: 4, resource: 5, template: 6 },
  ...{ body: 7, view: 8, skill: 9, claim: 10, "sampled-tool": 11 },
};

/** By kind, then by name in code units. */
export function lockedOrder(one: Pick<Address, "kind" | "name">, other: Pick<Address, "kind" | "name">): number {
  const apart = places[one.kind] - places[other.kind];
  return apart !== 0 ? apart : one.name < other.name ? -1 : one.name > other.name ? 1 : 0;
}
