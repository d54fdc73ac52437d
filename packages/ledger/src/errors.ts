import { visible } from "@countersign/core";

/**
 * CORRUPT: what is stored is not what was written. NEWER: a later Countersign wrote it. LOCKED: another process kept it
 * too long. UNREACHABLE, READ_ONLY: it cannot be opened, or not written. INVALID: the caller asked for an event that no
 * ledger may hold. None of them lets anything pass.
 */
export type LedgerErrorCode = "CORRUPT" | "NEWER" | "LOCKED" | "UNREACHABLE" | "READ_ONLY" | "INVALID";

interface Trouble {
  readonly action: "open" | "read" | "write to";
  /** The ledger's path. */
  readonly ledger: string;
  readonly cause: string;
  /** Instead of the code's own. */
  readonly next?: string;
}

/** The ledger cannot be used. The message says what was being done, with which ledger, why it failed and what to do. */
export class LedgerError extends Error {
  override readonly name = "LedgerError";

  readonly code: LedgerErrorCode;

  constructor(
    code: LedgerErrorCode,
    { action, ledger, cause, next = nextSteps[code] }: Trouble,
    options?: ErrorOptions,
  ) {
    super(`Cannot ${action} ledger "${visible(ledger)}": ${cause}; ${next}`, options);
    this.code = code;
  }
}

const nextSteps: Readonly<Record<LedgerErrorCode, string>> = {
  CORRUPT: 'run "countersign log --verify" to see what is damaged, then restore a copy of it',
  NEWER: "update Countersign",
  LOCKED: "try again, or end the process that holds it",
  UNREACHABLE: "check the path, its permissions and the space on the disk",
  READ_ONLY: "run as a user who may write the file and its folder",
  INVALID: "this is a fault of Countersign's own, please report it",
};
