import type { Offer } from "@countersign/core";
import type { Ledger, RecordResult } from "@countersign/ledger";

/**
 * Journals what a server offered. An offer that is too much for the server's quota is ruled on like any other, but nobody
 * can be shown it, so nobody can approve it.
 */
export async function sight(ledger: Ledger, offer: Offer): Promise<RecordResult> {
  const before = (await ledger.state()).servers.get(offer.server)?.sightings.get(offer.source);
  const were = new Set(before?.definitions.map(({ received }) => received));
  const size = offer.definitions.reduce((sum, { received, text }) => sum + (were.has(received) ? 0 : text.length), 0);
  return ledger.record(
    {
      is: "sighted",
      server: offer.server,
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
