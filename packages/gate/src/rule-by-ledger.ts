import { addressKey, lists, type Offer, type RawDefinition, type Ruling, type Snapshot } from "@countersign/core";
import { letThrough, planFor, policyDigest, rule, rulesetDigest } from "@countersign/judge";
import type { Ledger } from "@countersign/ledger";
import { approvalOf } from "./approval.ts";
import { asJournalled } from "./as-journalled.ts";
import type { ServerSettings } from "./config.ts";
import { letThroughNow } from "./let-through-now.ts";
import { sight } from "./sight.ts";
import { isClean } from "./standing.ts";

/**
 * The one function that a connection is given: it journals what was sighted, reads the ledger as it is now, and rules.
 * A ruling is kept only for the very offer, ledger sequence and time that it was made for.
 */
export function ruleByLedger(ledger: Ledger, launch: Offer, settings: ServerSettings, now: () => number) {
  const { server } = launch;
  const made = new WeakMap<
    Offer,
    { seq: number; bypassed: number | undefined; until: number; rulings: readonly Ruling[]; journalled: boolean }
  >();

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
    const known = made.get(offer);
    const { seq, bypass: bypassed } = await ledger.snapshot(server);
    if (known?.seq === seq && known.bypassed === bypassed?.until && now() < known.until) return known.rulings;
    const journalled = known?.journalled === true || (await sightFirst(offer));
    // The lists and the bodies are derived before the handshake is answered. What a server brings up later was not there at first sight.
    if (!lists.has(offer.source) && offer.source !== "bodies") first = false;
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
