import { mkdtempSync, readdirSync, rmSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { collect } from "../under-test/collect.ts";
import { approval, bypass, sampleTool, serverNamed } from "../under-test/samples.ts";
import { openSqlite } from "./open-sqlite.ts";
import { ledgerErrorOf } from "./sqlite-error.ts";

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-sqlite-"));
  path = join(folder, "state", "countersign", "ledger.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

function inDatabase(sql: string, file = path): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

describe("openSqlite()", { timeout: 30_000 }, () => {
  test.skipIf(process.platform === "win32")(
    "makes a ledger for its owner alone, in folders for its owner alone",
    async () => {
      const ledger = await openSqlite(path);
      const modes = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => {
        return [name, (statSync(join(folder, name)).mode & 0o777).toString(8)];
      });
      expect(new Map(modes.map(([name, mode]) => [name, mode]))).toEqual(
        new Map([
          ["state", "700"],
          ["state/countersign", "700"],
          ["state/countersign/ledger.db", "600"],
          ["state/countersign/ledger.db-wal", "600"],
          ["state/countersign/ledger.db-shm", "600"],
        ]),
      );
      await ledger.close();
    },
  );

  test("refuses the ledger of a newer Countersign and leaves it as it is", async () => {
    await (await openSqlite(path)).close();
    inDatabase("PRAGMA user_version = 99");
    await expect(openSqlite(path)).rejects.toMatchObject({
      name: "LedgerError",
      code: "NEWER",
      message: `Cannot open ledger "${path}": a newer Countersign wrote it (version 99; this one knows 4); update Countersign`,
    });
    inDatabase("PRAGMA user_version = 2");
    await (await openSqlite(path)).close();
  });

  test("refuses another program's database and leaves it as it is", async () => {
    path = join(folder, "other.db");
    inDatabase("CREATE TABLE bookmarks (url TEXT)");
    await expect(openSqlite(path)).rejects.toMatchObject({ code: "CORRUPT" });
    inDatabase("INSERT INTO bookmarks VALUES ('still here')");
    expect(readdirSync(folder)).toEqual(["other.db"]);
  });

  test("refuses a file that is no database", async () => {
    path = join(folder, "notes.txt");
    writeFileSync(path, "Not a database, but long enough to be taken for the beginning of one. ".repeat(20));
    await expect(openSqlite(path)).rejects.toMatchObject({
      code: "CORRUPT",
      message: `Cannot open ledger "${path}": file is not a database; restore a copy of it, or name another file`,
    });
  });

  test("takes over a ledger of the first version as it is", async () => {
    const tool = sampleTool("read");
    const server = serverNamed("files");
    const before = await openSqlite(path);
    await before.record(approval(server, [tool]), { texts: [tool] });
    const { head } = await before.verify();
    await before.close();
    inDatabase("PRAGMA user_version = 1");
    const ledger = await openSqlite(path);
    expect(await ledger.verify()).toEqual({ entries: 1, texts: 1, head, problems: [] });
    expect(await ledger.record(bypass(server, 5_000))).toEqual({ is: "recorded", seq: 2 });
    await ledger.close();
    const database = new DatabaseSync(path);
    expect(database.prepare("PRAGMA user_version").get()).toEqual({ user_version: 4 });
    database.close();
  });

  test("refuses a ledger without its tables", async () => {
    await (await openSqlite(path)).close();
    inDatabase("DROP TABLE events");
    await expect(openSqlite(path)).rejects.toMatchObject({ code: "CORRUPT" });
  });

  test("refuses a place where no file can be", async () => {
    writeFileSync(join(folder, "state"), "");
    await expect(openSqlite(path)).rejects.toMatchObject({ name: "LedgerError", code: "UNREACHABLE" });
    await expect(openSqlite(folder)).rejects.toMatchObject({ name: "LedgerError", code: "UNREACHABLE" });
  });

  test("waits for a lock that SQLite itself does not wait for", async () => {
    path = join(folder, "ledger.db");
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    const opening = openSqlite(path);
    await setTimeout(50);
    other.close();
    await (await opening).close();
  });

  test("lets nobody change or remove what the journal holds by accident", async () => {
    const tool = sampleTool("read");
    const ledger = await openSqlite(path);
    await ledger.record(approval(serverNamed("files"), [tool]), { texts: [tool] });
    await ledger.close();
    expect(() => inDatabase("UPDATE events SET at = 0")).toThrow("the journal only grows");
    expect(() => inDatabase("DELETE FROM events")).toThrow("the journal only grows");
    expect(() => inDatabase("UPDATE texts SET text = ''")).toThrow("a text is named by its digest");
  });
});

describe("a SQLite ledger", { timeout: 30_000 }, () => {
  const server = serverNamed("files");
  const tool = sampleTool("read");

  test("is read while another process writes, and says LOCKED when that takes too long", async () => {
    const ledger = await openSqlite(path, { patience: 50 });
    const writer = new DatabaseSync(path);
    writer.exec("BEGIN IMMEDIATE");
    expect((await ledger.snapshot(server)).bindings.size).toBe(0);
    await expect(ledger.record(approval(server, [tool]), { texts: [tool] })).rejects.toMatchObject({
      name: "LedgerError",
      code: "LOCKED",
      message: `Cannot write to ledger "${path}": database is locked; try again, or end the process that holds it`,
    });
    writer.exec("COMMIT");
    writer.close();
    expect(await ledger.record(approval(server, [tool]), { texts: [tool] })).toEqual({ is: "recorded", seq: 1 });
    await ledger.close();
  });

  test("says NEWER of an event that a later Countersign wrote while this one had it open", async () => {
    const ledger = await openSqlite(path);
    inDatabase(`
      INSERT INTO events VALUES (1, 1, 'id', NULL, '{"is":"blessed","server":"files"}', '[]', '');
      PRAGMA user_version = 99;
    `);
    await expect(ledger.snapshot(server)).rejects.toMatchObject({
      name: "LedgerError",
      code: "NEWER",
      message: `Cannot read ledger "${path}": a newer Countersign wrote it (version 99; this one knows 4); update Countersign`,
    });
    await ledger.close();
  });

  test.skipIf(process.platform === "win32")(
    "says so when its file was removed or replaced, instead of what it held",
    async () => {
      const unreachable = { name: "LedgerError", code: "UNREACHABLE" };
      const ledger = await openSqlite(path);
      await ledger.record(approval(server, [tool]), { texts: [tool] });
      expect((await ledger.snapshot(server)).bindings.size).toBe(1);
      for (const name of readdirSync(join(path, ".."))) unlinkSync(join(path, "..", name));
      await expect(ledger.snapshot(server)).rejects.toMatchObject(unreachable);
      const other = await openSqlite(path);
      for (const step of [
        ledger.seq(),
        ledger.state(),
        ledger.text(tool.digest),
        collect(ledger.entries()),
        ledger.verify(),
      ]) {
        await expect(step).rejects.toMatchObject(unreachable);
      }
      await expect(ledger.record(approval(server, [tool]))).rejects.toMatchObject(unreachable);
      await ledger.close();
      await other.close();
    },
  );
});

describe("ledgerErrorOf()", () => {
  test("calls a file that cannot be written READ_ONLY", async () => {
    await (await openSqlite(path)).close();
    const database = new DatabaseSync(path, { readOnly: true });
    const error = thrownBy(() => database.exec("BEGIN IMMEDIATE; DELETE FROM events"));
    expect(ledgerErrorOf(error, "write to", path)).toMatchObject({
      name: "LedgerError",
      code: "READ_ONLY",
      cause: error,
    });
    database.close();
  });

  test("passes what SQLite did not say", () => {
    const error = new TypeError("something else");
    expect(ledgerErrorOf(error, "read", path)).toBe(error);
  });
});

function thrownBy(step: () => void): unknown {
  try {
    step();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}
