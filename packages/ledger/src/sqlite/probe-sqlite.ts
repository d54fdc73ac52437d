import { resolve } from "node:path";
import { ledgerErrorOf } from "./sqlite-error.ts";

/**
 * Finds out whether a ledger that is there could be written to just now, and writes nothing.
 *
 * @param patience how long to wait for another process that writes, in milliseconds
 * @throws LedgerError where it could not
 */
export async function probeSqlite(path: string, patience: number): Promise<void> {
  const file = resolve(path);
  const { DatabaseSync } = await import("node:sqlite");
  try {
    const database = new DatabaseSync(file);
    try {
      database.exec(`PRAGMA busy_timeout = ${patience}; PRAGMA trusted_schema = OFF; BEGIN IMMEDIATE; ROLLBACK`);
    } finally {
      database.close();
    }
  } catch (error) {
    throw ledgerErrorOf(error, "write to", file);
  }
}
