import { randomUUID } from "node:crypto";
import { mkdir, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { LedgerError } from "../errors.ts";
import type { Ledger } from "../ledger.ts";
import { applicationId, migrations, newer } from "./migrations.ts";
import { isBusy, ledgerErrorOf } from "./sqlite-error.ts";
import { SqliteLedger } from "./sqlite-ledger.ts";
import { transaction } from "./transaction.ts";

export interface SqliteOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly newId?: () => string;
  /** How long to wait for another process that writes, in milliseconds. */
  readonly patience?: number;
  /**
   * How old, in milliseconds, what was read last may be when somebody asks for a state or a snapshot: 0 unless so many ask
   * that each look costs more than it can tell. What is recorded is always held against what is there.
   */
  readonly moment?: number;
}

/**
 * Opens the ledger in a file, and makes it where there is none: for its owner alone. Its folder must be on a disk of this
 * machine; SQLite's locks do not hold on a network's.
 *
 * @throws LedgerError
 */
export async function openSqlite(
  path: string,
  { now = Date.now, newId = randomUUID, patience = 5_000, moment = 0 }: SqliteOptions = {},
): Promise<Ledger> {
  const file = resolve(path);
  await create(file);
  // Off the start-up path of whoever opens no ledger, and of its one-line warning.
  const { DatabaseSync } = await import("node:sqlite");
  const database = attempt(file, () => new DatabaseSync(file));
  try {
    await prepare(database, file, patience);
    return attempt(file, () => new SqliteLedger(database, { file, moment, now, newId }));
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A ledger of this process alone, which is gone when it is closed. */
export async function openInMemory({
  now = Date.now,
  newId = randomUUID,
}: Pick<SqliteOptions, "now" | "newId"> = {}): Promise<Ledger> {
  const file = ":memory:";
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(file);
  await prepare(database, file, 0);
  return new SqliteLedger(database, { file, inMemory: true, moment: 0, now, newId });
}

async function create(file: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const handle = await open(file, "wx", 0o600);
    await handle.close();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (error.code === "EEXIST") return;
    throw new LedgerError("UNREACHABLE", { action: "open", ledger: file, cause: error.message }, { cause: error });
  }
}

async function prepare(database: DatabaseSync, file: string, patience: number): Promise<void> {
  // SQLite does not wait, whatever its timeout, for some locks that it takes on the way to WAL.
  const deadline = performance.now() + patience;
  for (;;) {
    try {
      database.exec(`PRAGMA busy_timeout = ${patience}; PRAGMA trusted_schema = OFF`);
      const { version } = transaction(database, "DEFERRED", () => layoutIn(database, file));
      // FULL: in WAL mode a lesser level may lose what was committed last when the machine stops.
      database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      if (version < migrations.length) migrate(database, file);
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw ledgerErrorOf(error, "open", file);
    }
    await setTimeout(5);
  }
}

function migrate(database: DatabaseSync, file: string): void {
  transaction(database, "IMMEDIATE", () => {
    // Another process may have migrated it, and further, while this one waited.
    const { version: found } = layoutIn(database, file);
    for (let version = found; version < migrations.length; version++) {
      database.exec(`${migrations[version]}; PRAGMA user_version = ${version + 1}`);
    }
  });
}

/** What kind of database it is, unless it is not one for this Countersign. To be read in a transaction: it takes three looks. */
function layoutIn(database: DatabaseSync, file: string): { readonly version: number } {
  const version = numberOf(database, "PRAGMA user_version", "user_version");
  const id = numberOf(database, "PRAGMA application_id", "application_id");
  const tables = numberOf(database, "SELECT count(*) AS tables FROM sqlite_schema", "tables");
  const isNew = version === 0 && id === 0 && tables === 0;
  if (!isNew && id !== applicationId) {
    const next = "name another file";
    throw new LedgerError("CORRUPT", { action: "open", ledger: file, cause: "it is another program's database", next });
  }
  if (version > migrations.length) {
    throw new LedgerError("NEWER", { action: "open", ledger: file, cause: newer(version) });
  }
  return { version };
}

function numberOf(database: DatabaseSync, sql: string, column: string): number {
  return Number(database.prepare(sql).get()?.[column]);
}

function attempt<T>(file: string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw ledgerErrorOf(error, "open", file);
  }
}
