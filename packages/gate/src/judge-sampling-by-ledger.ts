import type { Objection, Offer, Sampling } from "@countersign/core";
import { judgeSampling, type Policy } from "@countersign/judge";
import type { Ledger, PrincipalId } from "@countersign/ledger";
import { snapshotFor } from "./snapshot-for.ts";

/** Judges what a server asks of a model by the ledger as it is now. Nothing of it is journalled: it is no offer. */
export function judgeSamplingByLedger(
  ledger: Ledger,
  launch: Offer,
  policy: Policy,
  principal: PrincipalId | undefined,
) {
  return async (sampling: Sampling): Promise<readonly Objection[]> => {
    const snapshot = snapshotFor([], await ledger.snapshot(launch.server, principal), principal);
    return judgeSampling(sampling, { ...snapshot, launch: launch.definitions[0]?.received }, policy);
  };
}
