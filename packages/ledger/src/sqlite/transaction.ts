import type { DatabaseSync } from "node:sqlite";
import { isPlainError } from "./sqlite-error.ts";

/**
 * Runs `step` on the file as it is at one moment, and commits what it did; or, when it throws, nothing. `IMMEDIATE` is
 * for a step that may write: it runs alone among all writers. `DEFERRED` is for one that only reads.
 */
export function transaction<T>(database: DatabaseSync, mode: "IMMEDIATE" | "DEFERRED", step: () => T): T {
  database.exec(`BEGIN ${mode}`);
  try {
    const result = step();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

function rollBack(database: DatabaseSync): void {
  try {
    database.exec("ROLLBACK");
  } catch (error) {
    if (!isPlainError(error)) throw error;
  }
}
