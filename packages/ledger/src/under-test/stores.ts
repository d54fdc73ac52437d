import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Digest } from "@countersign/core";
import type { Ledger } from "../ledger.ts";
import { openSqlite } from "../sqlite/open-sqlite.ts";

/** What the contract suite needs of a store to hold it to the contract. */
export interface StoreUnderTest {
  readonly name: StoreName;
  /** Where a new ledger may be, given a folder of its own. */
  readonly placeIn: (folder: string) => string;
  readonly open: (place: string, options?: { now?: () => number; newId?: () => string }) => Promise<Ledger>;
  /** Writes past the ledger, as anybody can who has the file. */
  readonly tamper: (place: string, tampering: Tampering) => void;
}

export type Tampering =
  | { readonly is: "event"; readonly seq: number; readonly column: "at" | "event" | "previous"; readonly value: string }
  | { readonly is: "text"; readonly digest: Digest; readonly value: string }
  | { readonly is: "lost event"; readonly seq: number }
  | { readonly is: "lost text"; readonly digest: Digest };

export type StoreName = "sqlite";

export const stores: readonly StoreUnderTest[] = [
  { name: "sqlite", placeIn: (folder) => join(folder, "ledger.db"), open: openSqlite, tamper: tamperWithSqlite },
];

export function storeNamed(name: string | undefined): StoreUnderTest {
  const store = stores.find((one) => one.name === name);
  if (store === undefined) throw new RangeError(`no store is called ${name}`);
  return store;
}

function tamperWithSqlite(place: string, tampering: Tampering): void {
  const database = new DatabaseSync(place);
  database.exec(`
    DROP TRIGGER IF EXISTS events_are_never_updated;
    DROP TRIGGER IF EXISTS events_are_never_deleted;
    DROP TRIGGER IF EXISTS texts_are_never_updated;
  `);
  switch (tampering.is) {
    case "event":
      database.prepare(`UPDATE events SET ${tampering.column} = ? WHERE seq = ?`).run(tampering.value, tampering.seq);
      break;
    case "text":
      database.prepare("UPDATE texts SET text = ? WHERE digest = ?").run(tampering.value, tampering.digest);
      break;
    case "lost event":
      database.prepare("DELETE FROM events WHERE seq = ?").run(tampering.seq);
      break;
    case "lost text":
      database.prepare("DELETE FROM texts WHERE digest = ?").run(tampering.digest);
      break;
  }
  database.close();
}
