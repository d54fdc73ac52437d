import type { Objection, Offer, Sampling } from "@countersign/core";
import { judgeSampling, type Policy } from "@countersign/judge";
import type { Ledger } from "@countersign/ledger";

/** Judges what a server asks of a model by the ledger as it is now. Nothing of it is journalled: it is no offer. */
export function judgeSamplingByLedger(ledger: Ledger, launch: Offer, policy: Policy) {
  return async (sampling: Sampling): Promise<readonly Objection[]> => {
    const snapshot = await ledger.snapshot(launch.server);
    return judgeSampling(sampling, { ...snapshot, launch: launch.definitions[0]?.received }, policy);
  };
}
