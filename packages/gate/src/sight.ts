import type { Offer } from "@countersign/core";
import type { Ledger } from "@countersign/ledger";

/** Journals what a server offered. Returns the sequence number of the sighting, if it brought something new. */
export async function sight(ledger: Ledger, offer: Offer): Promise<number | undefined> {
  const result = await ledger.record(
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
    },
    { texts: offer.definitions.map(({ received, address, text }) => ({ digest: received, kind: address.kind, text })) },
  );
  return result.is === "recorded" ? result.seq : undefined;
}
