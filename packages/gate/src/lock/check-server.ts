import {
  type Address,
  addressKey,
  asSent,
  type Digest,
  isAsSent,
  type LockedDefinition,
  type LockedServer,
  type LockfileReading,
  type Offer,
  type RawDefinition,
  type Ruling,
  type Source,
  sources,
} from "@countersign/core";
import { defaultPolicy, type Policy, policyDigest, ruleOnSome, rulesetDigest } from "@countersign/judge";
import { type DefinitionRow, definitionRow, malformedRow } from "../print/definition-row.ts";
import { shownName, type View } from "../print/view.ts";
import { type Claim, claim, claimsOf } from "./claim.ts";
import { type Beside, snapshotOfLock } from "./snapshot-of-lock.ts";

/**
 * How a definition stands against the lockfile. `unknown`: it is locked, and whether it is offered could not be seen.
 * `refused`: it is as it was locked, and the policy here does not let it pass.
 */
export type CheckState = "bound" | "drifted" | "new" | "missing" | "unknown" | "expired" | "refused" | "malformed";

export interface CheckedDefinition {
  readonly state: CheckState;
  /** Kind, name, verdict and reasons, as every output shows them. */
  readonly row: DefinitionRow;
  readonly locked?: Digest;
  readonly claims: readonly Claim[];
}

export interface CheckedServer {
  readonly server: string;
  /** How many definitions of it are locked, its launch among them. */
  readonly locked: number;
  /** Where it begins in the lockfile. */
  readonly line: number;
  /** The rules are not those that had their say on it: what they find may be new to everybody. */
  readonly otherRules: boolean;
  readonly definitions: readonly CheckedDefinition[];
  /** Lists that could not be had whole. */
  readonly failures: readonly { readonly source: string; readonly code: string }[];
}

/** What was offered, and how far that is all. */
export interface Offered {
  readonly offers: readonly Offer[];
  readonly failures: CheckedServer["failures"];
  /** Whether what is not among the offers, and did not fail either, is not offered: else nobody has asked for it. */
  readonly isAll: (source: Source) => boolean;
}

export interface CheckOptions {
  readonly linesOf: LockfileReading["linesOf"];
  readonly policy: Policy;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly view: View;
  /** Judge also what is as it was approved under the rules of today. */
  readonly all: boolean;
}

/** Holds what a server offers against what a lockfile approves of it, by the gates that `run` has. */
export function checkServer(
  locked: LockedServer,
  { offers, failures, isAll }: Offered,
  beside: Beside,
  options: CheckOptions,
): CheckedServer {
  const { policy, now } = options;
  const snapshot = snapshotOfLock(locked, beside, policy, now);
  const approved = new Map(locked.definitions.map((one) => [addressKey(one.address), one]));
  const heard = options.all || locked.ruleset !== rulesetDigest || policyDigest(policy) !== policyDigest(defaultPolicy);
  const definitions: CheckedDefinition[] = [];
  const seen = new Set<string>();
  for (const offer of offers) {
    if (offer.source === "launch") continue;
    const judged = ({ address, received }: RawDefinition) =>
      heard || !isHeard(approved.get(addressKey(address)), received, now);
    const rulings = ruleOnSome(offer, judged, snapshot, policy);
    for (const [index, definition] of offer.definitions.entries()) {
      const key = addressKey(definition.address);
      seen.add(key);
      const ruling = rulings.get(index);
      const one =
        ruling === undefined ? asLocked(definition, options) : offered(definition, ruling, approved.get(key), options);
      if (one !== undefined) definitions.push(one);
    }
    for (const malformed of offer.malformed) {
      const { kind, name = "" } = malformed;
      if (malformed.name !== undefined) seen.add(addressKey({ kind, name }));
      const place = placeOf({ server: locked.server, kind, name }, undefined, options);
      const claims = malformed.faults.map(({ at }) => claim(place, "malformed", { effect: "refuse", is: "new" }, at));
      definitions.push({ state: "malformed", row: malformedRow(malformed, options.view), claims });
    }
  }
  const had = new Set(offers.map(({ source }) => source));
  const failed = new Set(failures.map(({ source }) => source));
  for (const [key, one] of approved) {
    if (seen.has(key) || one.address.kind === "launch") continue;
    const source = sourceOf(one.address);
    const known =
      had.has(source) || (source !== "manifest" && isAll(source) && !failed.has(source) && !failed.has("initialize"));
    definitions.push(absent(one, known ? "missing" : "unknown", options));
  }
  return { ...aboutServer(locked, options), definitions, failures };
}

export function aboutServer(
  { server, ruleset, definitions }: LockedServer,
  { linesOf }: Pick<CheckOptions, "linesOf">,
): Pick<CheckedServer, "server" | "locked" | "line" | "otherRules"> {
  const [first] = definitions;
  const lines = first === undefined ? undefined : linesOf(first.address);
  // The line before is that of the rules.
  const line = Math.max(1, (lines?.first ?? 2) - 1);
  return { server, locked: definitions.length, line, otherRules: ruleset !== rulesetDigest };
}

/** Whether the rules of today had their say on this very text when it was approved, and nobody had to overrule one. */
function isHeard(locked: LockedDefinition | undefined, received: Digest, now: number): boolean {
  return (
    locked?.received === received &&
    locked.acknowledged.length === 0 &&
    isAsSent(locked.plan) &&
    (locked.expires === undefined || locked.expires > now)
  );
}

function asLocked({ address: { kind, name }, received }: RawDefinition, { view }: CheckOptions): CheckedDefinition {
  const row: DefinitionRow = { kind, name: shownName(name, view), verdict: "bind", received, reasons: [] };
  return { state: "bound", row, locked: received, claims: [] };
}

/** What the config here does not allow is used by nobody, so nobody has to approve it. */
function offered(
  definition: RawDefinition,
  ruling: Ruling,
  locked: LockedDefinition | undefined,
  options: CheckOptions,
): CheckedDefinition | undefined {
  if (locked === undefined && ruling.reasons.some(({ code }) => code === "NOT_ALLOWED")) return undefined;
  const state = stateOf(ruling, locked);
  return {
    state,
    row: definitionRow({ definition, ruling, plan: locked?.plan ?? asSent }, options.view),
    ...(locked === undefined ? {} : { locked: locked.received }),
    claims: claimsOf(placeOf(definition.address, definition.received, options), ruling, againstOf(state)),
  };
}

function againstOf(state: CheckState): "same" | "other" | "none" {
  if (state === "new") return "none";
  return state === "drifted" ? "other" : "same";
}

function stateOf({ verdict, reasons }: Ruling, locked: LockedDefinition | undefined): CheckState {
  if (locked === undefined) return "new";
  if (verdict === "bind") return "bound";
  if (reasons.some(({ code }) => code === "EXPIRED")) return "expired";
  return reasons.some(({ code }) => code === "DESCRIPTION_MUTATION") ? "drifted" : "refused";
}

function absent(locked: LockedDefinition, state: "missing" | "unknown", options: CheckOptions): CheckedDefinition {
  const { address, received } = locked;
  const { kind, name } = address;
  const row: DefinitionRow = { kind, name: shownName(name, options.view), verdict: "quarantine", reasons: [] };
  const claims =
    state === "unknown"
      ? []
      : [claim(placeOf(address, received, options), "no-longer-offered", { effect: "refuse", is: "absent" })];
  return { state, row, locked: received, claims };
}

function placeOf(address: Address, digest: Digest | undefined, { linesOf, view }: CheckOptions) {
  return { address, digest, linesOf, view };
}

/** The request whose answer holds a definition. */
function sourceOf({ kind, name }: Pick<Address, "kind" | "name">): Source {
  switch (kind) {
    case "tool":
      return "tools/list";
    case "prompt":
      return "prompts/list";
    case "resource":
      return "resources/list";
    case "template":
      return "resources/templates/list";
    case "body":
    case "view":
    case "sampled-tool":
      return "bodies";
    case "skill":
    case "claim":
      return "manifest";
    case "launch":
      return "launch";
    case "server":
    case "instructions":
      return sources.find((source) => source === name) ?? "initialize";
  }
}
