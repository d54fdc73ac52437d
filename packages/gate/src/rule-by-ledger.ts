import {
  addressKey,
  lists,
  type Offer,
  type RawDefinition,
  type Ruling,
  type Snapshot,
  type Source,
} from "@countersign/core";
import { letThrough, planFor, policyDigest, rule, rulesetDigest } from "@countersign/judge";
import type { Ledger } from "@countersign/ledger";
import { approvalOf } from "./approval.ts";
import { asJournalled } from "./as-journalled.ts";
import type { ServerSettings } from "./config.ts";
import { isSameOffer } from "./is-same-offer.ts";
import { letThroughNow } from "./let-through-now.ts";
import { sight } from "./sight.ts";
import { isClean } from "./standing.ts";

/**
 * The one function that a connection is given: it journals what was sighted, reads the ledger as it is now, and rules.
 * A ruling is kept only for the very offer, ledger sequence and time that it was made for. A list that is had again while
 * the ledger stands still, the same to the letter, is that offer: a list may be asked for at every call.
 */
export function ruleByLedger(ledger: Ledger, launch: Offer, settings: ServerSettings, now: () => number) {
  const { server } = launch;
  const made = new WeakMap<
    Offer,
    { seq: number; bypassed: number | undefined; until: number; rulings: readonly Ruling[]; journalled: boolean }
  >();

  /** What was ruled on last. */
  const latest = new Map<Source, Offer>();

  /** Whether the server was never seen before this connection, and its handshake is not ruled on yet. */
  let first = false;

  /** How the server is reached is sighted before anything that it says. */
  const open = async () => {
    first = !(await ledger.state()).servers.has(server);
    await sightFirst(launch);
  };
  let opened: Promise<void> | undefined;

  /** Whether the journal holds the offer now. */
  const sightFirst = async (offer: Offer): Promise<boolean> => {
    const result = await sight(ledger, asJournalled(offer, await ledger.snapshot(server)));
    if (first && result.is === "recorded" && settings.firstSight === "approve-clean") {
      await approveClean(ledger, offer, result.seq, await reached(), settings);
    }
    return result.is !== "moved";
  };

  /** The launch that was sighted last may be another process's. */
  const reached = async (): Promise<Snapshot> => ({
    ...(await ledger.snapshot(server)),
    launch: launch.definitions[0]?.received,
  });

  return async (offer: Offer): Promise<readonly Ruling[]> => {
    opened ??= open();
    await opened;
    const before = latest.get(offer.source);
    const known =
      made.get(offer) ?? (before !== undefined && isSameOffer(before, offer) ? made.get(before) : undefined);
    latest.set(offer.source, offer);
    const { seq, bypass: bypassed } = await ledger.snapshot(server);
    if (known?.seq === seq && known.bypassed === bypassed?.until && now() < known.until) {
      made.set(offer, known);
      return known.rulings;
    }
    // Somebody else may have sighted another offer since an older one was, so the same one is sighted anew.
    const journalled = made.get(offer)?.journalled === true || (await sightFirst(offer));
    // The lists are derived before the handshake is answered. What a server brings up later was not there at first sight.
    if (!lists.has(offer.source)) first = false;
    const snapshot = await reached();
    const honest = rule(offer, snapshot, settings.policy);
    const because = letThroughNow(settings.mode, snapshot);
    const planOf = ({ address }: RawDefinition) =>
      planFor(settings.policy, address, snapshot.bindings.get(addressKey(address)));
    const rulings = because === undefined ? honest : letThrough(offer, honest, because, planOf);
    const { unstableUntil = Number.POSITIVE_INFINITY, bypass } = snapshot;
    const ends = [...snapshot.bindings.values()].map(({ expires }) => expires ?? Number.POSITIVE_INFINITY);
    ends.push(unstableUntil);
    const until = ends.filter((end) => end > snapshot.now).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    made.set(offer, { seq: snapshot.seq, bypassed: bypass?.until, until, rulings, journalled });
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
