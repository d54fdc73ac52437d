import { addressKey, type Offer } from "@countersign/core";
import type { Ledger, PrincipalId, RecordResult, Sighting, State } from "@countersign/ledger";

/**
 * Journals what a server offered. An offer that is too much for the server's quota is ruled on like any other, but nobody
 * can be shown it, so nobody can approve it.
 *
 * @param principal to whom it was offered; undefined where the connection is for everybody. How the server is reached is the
 *   operator's, and the same for all
 */
export async function sight(ledger: Ledger, offer: Offer, principal?: PrincipalId): Promise<RecordResult> {
  let mayBeCommon = true;
  for (;;) {
    const state = await ledger.state();
    const texts = offer.definitions.map(({ received, address, text }) => ({
      digest: received,
      kind: address.kind,
      text,
    }));
    const sighting = sightingOf(offer, state, principal);
    if (principal === undefined || offer.source === "launch")
      return ledger.record(sighting, { texts, expecting: [{ is: "stable" }] });
    if (!mayBeCommon || !isForAll(offer, state))
      return ledger.record({ ...sighting, principal }, { texts, expecting: [{ is: "stable", principal }] });
    const seq = state.servers.get(offer.server)?.seq ?? 0;
    const expecting = [{ is: "stable" }, { is: "unchanged-since", seq }] as const;
    const result = await ledger.record(sighting, { texts, expecting });
    if (result.is !== "moved") return result;
    // Somebody else was the first meanwhile; or what all are offered changes too often, and that is nothing to this one.
    mayBeCommon = !result.because.some(({ is }) => is === "unstable");
  }
}

function sightingOf(offer: Offer, state: State, principal: PrincipalId | undefined) {
  const known = state.servers.get(offer.server);
  const own = principal === undefined ? undefined : known?.principals.get(principal)?.sightings.get(offer.source);
  const before = own ?? known?.sightings.get(offer.source);
  const were = new Set(before?.definitions.map(({ received }) => received));
  const size = offer.definitions.reduce((sum, { received, text }) => sum + (were.has(received) ? 0 : text.length), 0);
  return {
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
  } as const;
}

/**
 * Whether what one principal is offered stands for what all are: the first sight of a source; and what was approved for all
 * after another text was sighted, so that a decision moves it once.
 */
function isForAll(offer: Offer, state: State): boolean {
  const known = state.servers.get(offer.server);
  const common = known?.sightings.get(offer.source);
  if (known === undefined || common === undefined) return true;
  const isBound = ({ address, received }: Offer["definitions"][number]) =>
    known.bindings.get(addressKey(address))?.received === received;
  return offer.definitions.every(isBound) && offer.definitions.some((one) => hasAnother(common, one));
}

function hasAnother({ definitions }: Sighting, { address, received }: Offer["definitions"][number]): boolean {
  return definitions.some((one) => addressKey(one) === addressKey(address) && one.received !== received);
}

/** Code units. */
const worthSaying = 64 * 1024;
