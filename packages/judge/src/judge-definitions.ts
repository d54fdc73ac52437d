import {
  type Address,
  addressKey,
  asServerName,
  type Binding,
  type Digest,
  emptySnapshot,
  ManifestBindingError,
  type Offer,
  type Reason,
  type Ruling,
  render,
  type Snapshot,
  visible,
} from "@countersign/core";
import { rule } from "./judge.ts";
import { defaultPolicy, type Policy, planFor, policyDigest } from "./policy.ts";
import { type Definitions, type Listed, readDefinitions } from "./read-definitions.ts";
import { rulesetDigest } from "./ruleset.ts";

/** What `judge` takes as known. */
export interface JudgeOptions {
  /** The operator's name of the server; otherwise `server`. */
  readonly server?: string;
  /** What stands in an array or alone; otherwise `tool`. */
  readonly kind?: Listed;
  /** What somebody approved, in any of the same forms. Without it every definition is one that nobody has approved. */
  readonly approved?: Definitions;
  /** Rules whose findings somebody has looked at: in `approved`, or without it in the definitions themselves. */
  readonly acknowledged?: readonly string[];
  /** Tools of other servers that the same model is given. */
  readonly neighbours?: readonly Address[];
  /** Over the default policy. */
  readonly policy?: Partial<Policy>;
}

/** What the gates say of some definitions. */
export interface Judgement {
  /** One for each definition, in order, and one for each that is malformed; `reasons` say all. */
  readonly rulings: readonly Ruling[];
  /** The reasons that speak against a definition, beside that nobody has approved it. */
  readonly against: readonly { readonly address: Address; readonly reason: Reason }[];
  /** Approved, and not among the definitions. */
  readonly gone: readonly Address[];
}

/**
 * Judges definitions by all four gates, without a ledger: pure, synchronous, nothing is read or kept. Approve by keeping
 * the text and giving it as `approved` the next time: then what is the same is bound, and what differs is refused with its
 * drift.
 *
 * @throws ManifestBindingError where the whole cannot be read; RangeError where the server's name is none
 */
export function judge(definitions: Definitions, options: JudgeOptions = {}): Judgement {
  const { kind = "tool", approved, server: name = "server" } = options;
  const server = asServerName(name);
  if (server === undefined) throw new RangeError(`"${visible(name)}" is no name of a server`);
  const offer = readDefinitions(server, definitions, kind);
  return judgeOffer(offer, approved === undefined ? undefined : readDefinitions(server, approved, kind), options);
}

/** What `judge` says of an offer, given what somebody approved of it. */
export function judgeOffer(
  offer: Offer,
  approved: Offer | undefined,
  options: Pick<JudgeOptions, "acknowledged" | "neighbours" | "policy"> = {},
): Judgement {
  const { acknowledged = [], neighbours = [] } = options;
  const policy = { ...defaultPolicy, ...options.policy };
  const known = approved === undefined ? {} : asApproved(approved, policy, acknowledged);
  const snapshot = { ...emptySnapshot, ...known, neighbours };
  const rulings = rule(offer, snapshot, policy);
  // Where nothing was approved, there is no text that somebody has looked at but this one.
  const looked = new Set(approved === undefined ? acknowledged : []);
  const against = rulings.flatMap(({ address, reasons }) =>
    reasons.filter((reason) => speaksAgainst(reason, looked)).map((reason) => ({ address, reason })),
  );
  const offered = new Set(rulings.map(({ address }) => addressKey(address)));
  const gone = [...snapshot.bindings.values()]
    .map(({ address }) => address)
    .filter((address) => !offered.has(addressKey(address)));
  return { rulings, against, gone };
}

/** As a ledger would have it after somebody approved all of it just now. */
function asApproved(
  { server, definitions, malformed }: Offer,
  policy: Policy,
  acknowledged: readonly string[],
): Pick<Snapshot, "bindings" | "texts"> {
  if (malformed.length > 0) {
    const [{ name = "", kind }] = malformed as [Offer["malformed"][number]];
    const what = `${kind} "${visible(name)}"`;
    throw new ManifestBindingError(
      "MALFORMED",
      { server, kind, name },
      [],
      `Cannot take ${what} of ${server} for approved: it is malformed; the stored copy is damaged, so approve it again`,
    );
  }
  const bindings = new Map<string, Binding>();
  const texts = new Map<Digest, string>();
  for (const { address, text, received } of definitions) {
    const plan = planFor(policy, address, undefined);
    const rendered = render(address.kind, text, received, plan);
    if (rendered.is === "unfit") continue; // the ruling says so, of a definition that nobody could approve
    const { contract, rendering } = rendered;
    texts.set(received, text).set(rendering.digest, rendering.text);
    bindings.set(addressKey(address), {
      ...{ address, received, contract, rendered: rendering.digest, plan, by: "judge", seq: 0 },
      ...{ acknowledged: acknowledged.map((rule) => ({ rule })), ruleset: rulesetDigest },
      policy: policyDigest(policy),
    });
  }
  return { bindings, texts };
}

/** What somebody approved with a finding is bound with it; so is what only asks for another look. */
function speaksAgainst(reason: Reason, looked: ReadonlySet<string>): boolean {
  if (reason.code === "FINDING")
    return reason.finding.effect !== "note" && !reason.acknowledged && !looked.has(reason.finding.rule);
  return reason.code !== "NO_BASELINE" && reason.code !== "MASKED_MUTATION";
}
