import { LedgerError, type LedgerErrorCode } from "../errors.ts";

interface SqliteError extends Error {
  /** An extended result code; its low byte is the primary one. https://sqlite.org/rescode.html */
  readonly errcode: number;
}

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}

export function isBusy(error: unknown): boolean {
  return isSqliteError(error) && codes.get(primary(error)) === "LOCKED";
}

/** SQLITE_ERROR: what a ROLLBACK gets when SQLite has rolled back by itself. */
export function isPlainError(error: unknown): boolean {
  return isSqliteError(error) && primary(error) === 1;
}

/** The ledger's word for an error of SQLite. What SQLite did not say passes as it is. */
export function ledgerErrorOf(error: unknown, action: "open" | "read" | "write to", ledger: string): unknown {
  if (!isSqliteError(error)) return error;
  const code = codes.get(primary(error));
  if (code === undefined) return error;
  const trouble = { action, ledger, cause: error.message };
  // A file that does not open cannot be looked into either.
  const next = action === "open" && code === "CORRUPT" ? { next: "restore a copy of it, or name another file" } : {};
  return new LedgerError(code, { ...trouble, ...next }, { cause: error });
}

function primary({ errcode }: SqliteError): number {
  return errcode & 0xff;
}

/** Our SQL is fixed text, so an error in it (1) or a broken constraint (19) is a file that is not laid out as it says. */
const codes: ReadonlyMap<number, LedgerErrorCode> = new Map([
  [1, "CORRUPT"],
  [3, "UNREACHABLE"], // PERM
  [5, "LOCKED"], // BUSY
  [6, "LOCKED"],
  [8, "READ_ONLY"],
  [10, "UNREACHABLE"], // IOERR
  [11, "CORRUPT"],
  [13, "UNREACHABLE"], // FULL
  [14, "UNREACHABLE"], // CANTOPEN
  [19, "CORRUPT"],
  [26, "CORRUPT"], // NOTADB
]);
