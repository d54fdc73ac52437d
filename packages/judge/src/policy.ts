import {
  type Address,
  addressKey,
  asSent,
  type Binding,
  type Digest,
  digestOfCanonical,
  type Effect,
  type Kind,
  type Plan,
  type Prose,
  planOf,
  type Setting,
} from "@countersign/core";

/** What the operator decided about one server, beforehand. */
export interface Policy {
  /** The description gate is skipped. The other gates are not. */
  readonly trusted: boolean;
  /** Unbind what was approved when a rule comes to refuse it, instead of asking for another look. */
  readonly strict: boolean;
  /** Instead of the rules' own effects. */
  readonly severities: ReadonlyMap<string, Effect | "off">;
  readonly plans: Plans;
  /** The only tools, prompts, resources and templates that may be used, by `addressKey`; without it all that are approved. */
  readonly only?: ReadonlySet<string>;
  /** Whether the model is told which text the server wrote. No digest covers the marks. */
  readonly fence: boolean;
}

/** What the operator plans for all definitions of a server, and for some of them by `addressKey`. */
export interface Plans extends Pick<Planned, "prose" | "close"> {
  readonly definitions: ReadonlyMap<string, Planned>;
}

/** The parts of a plan that the operator has spoken of. The others are as they were approved. */
export interface Planned {
  readonly prose?: Prose;
  readonly set?: readonly Setting[];
  readonly close?: boolean;
}

/** What counts where the operator has decided nothing. */
export const defaultPolicy: Policy = {
  trusted: false,
  strict: false,
  severities: new Map(),
  plans: { definitions: new Map() },
  fence: false,
};

/**
 * The plan that a definition is approved under now. A launch has none: no model reads it. Standing text has none: there
 * is nothing in it but what it says.
 */
export function planFor(
  { plans }: Pick<Policy, "plans">,
  address: Pick<Address, "kind" | "name">,
  binding: Binding | undefined,
): Plan {
  const own = plans.definitions.get(addressKey(address));
  const prose = own?.prose ?? plans.prose;
  const close = own?.close ?? (address.kind === "tool" ? plans.close : undefined);
  const approved = binding?.plan ?? asSent;
  if (unplanned.has(address.kind)) return approved;
  if (prose === undefined && own?.set === undefined && close === undefined) return approved;
  return planOf(prose ?? approved.prose, own?.set ?? approved.set ?? [], close ?? approved.close ?? false);
}

/** Kinds that are approved as they are sent. */
export const unplanned: ReadonlySet<Kind> = new Set(["launch", "body", "view"]);

/** Names a policy in the approvals that were given under it. */
export function policyDigest(policy: Policy): Digest {
  const severities = [...policy.severities].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const { prose, close, definitions } = policy.plans;
  const plans = [...definitions].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  // Without plans it is what it was before there were any.
  const planned = prose === undefined && close === undefined && plans.length === 0 ? [] : [[prose, close, plans]];
  const only = policy.only === undefined ? [] : [["only", ...[...policy.only].sort()]];
  return digestOfCanonical("policy", JSON.stringify([policy.trusted, policy.strict, severities, ...planned, ...only]));
}
