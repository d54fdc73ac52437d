import { isDeepStrictEqual } from "node:util";
import {
  addressKey,
  type Digest,
  lists,
  type Offer,
  type RawDefinition,
  type Ruling,
  type Snapshot,
} from "@countersign/core";
import { letThrough, planFor, policyDigest, rule, rulesetDigest } from "@countersign/judge";
import { isCovered, type Ledger, type LedgerSnapshot, type PrincipalId } from "@countersign/ledger";
import { approvalOf } from "./approval.ts";
import { asJournalled } from "./as-journalled.ts";
import type { ServerSettings } from "./config.ts";
import { KeptRulings } from "./kept-rulings.ts";
import { letThroughNow } from "./let-through-now.ts";
import { sight } from "./sight.ts";
import { snapshotFor } from "./snapshot-for.ts";
import { isClean } from "./standing.ts";

export interface ForWhom {
  /** Whose connection it is; undefined where it is for everybody. */
  readonly principal?: PrincipalId;
  /** There are so many principals with definitions of their own that what this one is offered is not journalled. */
  readonly notJournalled?: () => void;
}

/**
 * The one function that a connection is given: it journals what was sighted, reads the ledger as it is now, and rules.
 * A ruling is kept only for the same offer, and for as long as the ledger says the same and its time has not come.
 */
export function ruleByLedger(
  ledger: Ledger,
  launch: Offer,
  settings: ServerSettings,
  now: () => number,
  { principal, notJournalled }: ForWhom = {},
) {
  const { server } = launch;
  const made = new KeptRulings();

  /** Whether the server was never seen before this connection, and its handshake is not ruled on yet. */
  let first = false;

  /** How the server is reached is sighted before anything that it says. */
  const open = async () => {
    first = !(await ledger.state()).servers.has(server);
    if (launch.definitions.length > 0) await sightFirst(launch);
  };
  let opened: Promise<void> | undefined;

  /** The digest under which the journal holds the offer now; undefined where it does not. */
  const sightFirst = async (offer: Offer): Promise<Digest | undefined> => {
    const known = snapshotFor(offer.definitions, await ledger.snapshot(server), principal);
    const journalled = asJournalled(offer, known);
    const result = await sight(ledger, journalled, principal);
    if (result.is === "moved" && result.because.some(({ is }) => is === "crowded")) notJournalled?.();
    if (first && result.is === "recorded" && settings.firstSight === "approve-clean") {
      await approveClean(ledger, offer, result.seq, await reached(), settings);
    }
    return result.is === "moved" ? undefined : journalled.digest;
  };

  /** Whether nobody has been told anything else by this server since. */
  const isLastSighted = async (offer: Offer, journalled: Digest): Promise<boolean> => {
    const { source, malformed } = offer;
    const state = (await ledger.state()).servers.get(server);
    const own = principal === undefined ? undefined : state?.principals.get(principal)?.sightings.get(source);
    const last = own ?? state?.sightings.get(source);
    if (last?.offer === journalled && isDeepStrictEqual(last.malformed, malformed)) return true;
    if (principal === undefined || own !== undefined || last === undefined) return false;
    const definitions = offer.definitions.map(({ address: { kind, name }, received }) => ({ kind, name, received }));
    return isCovered({ definitions, malformed }, last);
  };

  /** The launch that was sighted last may be another process's. */
  const reached = async (): Promise<LedgerSnapshot> => ({
    ...(await ledger.snapshot(server, principal)),
    launch: launch.definitions[0]?.received,
  });

  return async (offer: Offer): Promise<readonly Ruling[]> => {
    opened ??= open();
    await opened;
    const kept = made.find(offer, await reached(), now());
    if (kept !== undefined) {
      const { journalled } = kept;
      // The quota that kept it out is no freer, or what it was made of would be something else.
      if (kept.offer === offer || journalled === undefined || (await isLastSighted(offer, journalled))) {
        made.keep(offer, kept);
        return kept.rulings;
      }
    }
    const journalled = made.journalledAs(offer) ?? (await sightFirst(offer));
    // The lists and the bodies are derived before the handshake is answered. What a server brings up later was not there then.
    if (!lists.has(offer.source) && offer.source !== "bodies") first = false;
    const known = await reached();
    const snapshot = snapshotFor(offer.definitions, known, principal);
    const honest = rule(offer, snapshot, settings.policy);
    const because = letThroughNow(settings.mode, snapshot);
    const planOf = ({ address }: RawDefinition) =>
      planFor(settings.policy, address, snapshot.bindings.get(addressKey(address)));
    const rulings = because === undefined ? honest : letThrough(offer, honest, because, planOf);
    made.keep(offer, { snapshot: known, rulings, journalled });
    return rulings;
  };
}

/** @param seq of the sighting of this offer: nothing is approved where it was not the first of its source, or is not the last */
async function approveClean(
  ledger: Ledger,
  offer: Offer,
  seq: number,
  snapshot: Snapshot,
  settings: ServerSettings,
): Promise<void> {
  const clean = rule(offer, snapshot, settings.policy).filter(isClean);
  if (clean.length === 0) return;
  const definitions = offer.definitions.filter(({ address }) => clean.some((one) => one.address === address));
  const approval = approvalOf({
    server: offer.server,
    definitions: definitions.map((definition) => ({
      definition,
      acknowledged: [],
      plan: planFor(settings.policy, definition.address, undefined),
    })),
    by: "policy: approve-clean",
    offer: offer.digest,
    ruleset: rulesetDigest,
    policy: policyDigest(settings.policy),
  });
  if (approval.is === "unfit") throw new RangeError("a definition that its plan does not fit is not clean");
  const { event, texts } = approval;
  await ledger.record(event, { texts, expecting: [{ is: "first-sighting", source: offer.source, seq }] });
}
