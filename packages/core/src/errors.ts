import type { Address } from "./address.ts";
import type { Drift } from "./drift.ts";
import type { Reason } from "./verdict.ts";
import { visibleStart } from "./visible.ts";

export type BindingErrorCode =
  | "NOT_JSON"
  | "MALFORMED"
  | "NO_BASELINE"
  | "FINDING"
  | "DESCRIPTION_MUTATION"
  | "GATE_FAILED";

/** A definition must not be bound. Catch it and leave the tool out; there is nothing to retry. */
export class ManifestBindingError extends Error {
  override readonly name: string = "ManifestBindingError";

  readonly code: BindingErrorCode;
  readonly address: Address;
  readonly reasons: readonly Reason[];

  constructor(code: BindingErrorCode, address: Address, reasons: readonly Reason[], message: string) {
    super(message);
    this.code = code;
    this.address = address;
    this.reasons = reasons;
  }
}

/** A definition is not the one that was approved. `drift` says where, the most telling place first. */
export class DescriptionMutationError extends ManifestBindingError {
  override readonly name = "DescriptionMutationError";

  readonly drift: readonly Drift[];

  constructor(address: Address, drift: readonly Drift[]) {
    const first = drift[0];
    super(
      "DESCRIPTION_MUTATION",
      address,
      [{ gate: "baseline", code: "DESCRIPTION_MUTATION", drift }],
      `Cannot bind ${address.kind} "${visibleStart(address.name)}" of ${address.server}: it is not what was approved` +
        `${first === undefined ? "" : ` (${drift.length} ${drift.length === 1 ? "change" : "changes"}, first at "${visibleStart(first.at)}")`};` +
        " review the change before using it",
    );
    this.drift = drift;
  }
}
