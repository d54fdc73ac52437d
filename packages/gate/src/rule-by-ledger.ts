import { lists, type Offer, type Ruling, type ServerName } from "@countersign/core";
import { policyDigest, rule, rulesetDigest } from "@countersign/judge";
import type { Ledger, RecordResult } from "@countersign/ledger";
import { approvalOf } from "./approval.ts";
import type { ServerSettings } from "./config.ts";
import { isClean } from "./standing.ts";

/**
 * The one function that a connection is given: it journals what was sighted, reads the ledger as it is now, and rules.
 * A ruling is kept only for the very offer, ledger sequence and time that it was made for.
 */
export function ruleByLedger(ledger: Ledger, server: ServerName, settings: ServerSettings, now: () => number) {
  const made = new WeakMap<Offer, { seq: number; until: number; rulings: readonly Ruling[]; journalled: boolean }>();

  /** Whether the server was never seen before this connection, and its handshake is not ruled on yet. */
  let first: boolean | undefined;

  return async (offer: Offer): Promise<readonly Ruling[]> => {
    first ??= !(await ledger.state()).servers.has(server);
    const known = made.get(offer);
    if (known !== undefined && known.seq === (await ledger.seq()) && now() < known.until) return known.rulings;
    let journalled = known?.journalled === true;
    if (!journalled) {
      const result = await sight(ledger, server, offer);
      journalled = result.is !== "moved";
      if (first && result.is === "recorded" && settings.firstSight === "approve-clean") {
        await approveClean(ledger, server, offer, result.seq, settings);
      }
    }
    // The lists are derived before the handshake is answered. What a server brings up later was not there at first sight.
    if (!lists.has(offer.source)) first = false;
    const snapshot = await ledger.snapshot(server);
    const rulings = rule(offer, snapshot, settings.policy);
    const { unstableUntil = Number.POSITIVE_INFINITY } = snapshot;
    const ends = [...snapshot.bindings.values()].map(({ expires }) => expires ?? Number.POSITIVE_INFINITY);
    ends.push(unstableUntil);
    const until = ends.filter((end) => end > snapshot.now).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    made.set(offer, { seq: snapshot.seq, until, rulings, journalled });
    return rulings;
  };
}

/** An offer that is too much for the server's quota is ruled on like any other, but nobody can be shown it, so nobody can approve it. */
async function sight(ledger: Ledger, server: ServerName, offer: Offer): Promise<RecordResult> {
  const before = (await ledger.state()).servers.get(server)?.sightings.get(offer.source);
  const were = new Set(before?.definitions.map(({ received }) => received));
  const size = offer.definitions.reduce((sum, { received, text }) => sum + (were.has(received) ? 0 : text.length), 0);
  return ledger.record(
    {
      is: "sighted",
      server,
      source: offer.source,
      offer: offer.digest,
      definitions: offer.definitions.map(({ address, received }) => ({
        kind: address.kind,
        name: address.name,
        received,
      })),
      malformed: offer.malformed,
      ...(size < worthSaying ? {} : { size }),
    },
    {
      texts: offer.definitions.map(({ received, address, text }) => ({ digest: received, kind: address.kind, text })),
      expecting: [{ is: "stable" }],
    },
  );
}

/** Code units. */
const worthSaying = 64 * 1024;

/** @param seq of the sighting of this offer: nothing is approved where it was not the first of its source, or is not the last */
async function approveClean(
  ledger: Ledger,
  server: ServerName,
  offer: Offer,
  seq: number,
  settings: ServerSettings,
): Promise<void> {
  const snapshot = await ledger.snapshot(server);
  const clean = rule(offer, snapshot, settings.policy).filter(isClean);
  if (clean.length === 0) return;
  const definitions = offer.definitions.filter(({ address }) => clean.some((one) => one.address === address));
  await ledger.record(
    approvalOf({
      server,
      definitions: definitions.map((definition) => ({ definition, acknowledged: [] })),
      by: "policy: approve-clean",
      offer: offer.digest,
      ruleset: rulesetDigest,
      policy: policyDigest(settings.policy),
    }),
    { expecting: [{ is: "first-sighting", source: offer.source, seq }] },
  );
}
