import type { Offer, Ruling, ServerName } from "@countersign/core";
import { policyDigest, rule, rulesetDigest } from "@countersign/judge";
import type { Ledger } from "@countersign/ledger";
import { approvalOf } from "./approval.ts";
import type { ServerSettings } from "./config.ts";
import { isClean } from "./standing.ts";

/**
 * The one function that a connection is given: it journals what was sighted, reads the ledger as it is now, and rules.
 * A ruling is kept only for the very offer, ledger sequence and time that it was made for.
 */
export function ruleByLedger(ledger: Ledger, server: ServerName, settings: ServerSettings, now: () => number) {
  const made = new WeakMap<Offer, { seq: number; until: number; rulings: readonly Ruling[] }>();

  return async (offer: Offer): Promise<readonly Ruling[]> => {
    const known = made.get(offer);
    if (known !== undefined && known.seq === (await ledger.seq()) && now() < known.until) return known.rulings;
    if (known === undefined) await sight(ledger, server, offer, settings);
    const snapshot = await ledger.snapshot(server);
    const rulings = rule(offer, snapshot, settings.policy);
    const ends = [...snapshot.bindings.values()].map(({ expires }) => expires ?? Number.POSITIVE_INFINITY);
    const until = ends.filter((end) => end > snapshot.now).reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    made.set(offer, { seq: snapshot.seq, until, rulings });
    return rulings;
  };
}

async function sight(ledger: Ledger, server: ServerName, offer: Offer, settings: ServerSettings): Promise<void> {
  const result = await ledger.record(
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
    },
    { texts: offer.definitions.map(({ received, address, text }) => ({ digest: received, kind: address.kind, text })) },
  );
  if (result.is !== "recorded" || settings.firstSight !== "approve-clean") return;
  const snapshot = await ledger.snapshot(server);
  const clean = rule(offer, snapshot, settings.policy).filter(isClean);
  if (clean.length === 0) return;
  const definitions = offer.definitions.filter(({ address }) => clean.some((one) => one.address === address));
  // Only the first offer of a source, and only if that is still the one that was ruled on.
  await ledger.record(
    approvalOf({
      server,
      definitions: definitions.map((definition) => ({ definition, acknowledged: [] })),
      by: "policy: approve-clean",
      offer: offer.digest,
      ruleset: rulesetDigest,
      policy: policyDigest(settings.policy),
    }),
    { expecting: [{ is: "first-sighting", source: offer.source, seq: result.seq }] },
  );
}
