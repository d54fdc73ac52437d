import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect } from "vitest";
import { approve, offerOf } from "./rig/approve.ts";
import { canMount, type SmallDisk, smallDisk } from "./rig/full-disk.ts";
import type { Place } from "./rig/place.ts";
import { answer, hello, scripted, tool } from "./rig/script.ts";
import { toolNames } from "./rig/station.ts";
import { test } from "./rig/test.ts";

const serverSays = {
  start: [{ stderr: "the server runs\n" }],
  initialize: [hello("tools")],
  "tools/list": [answer(`{"tools":[${tool("a")}]}`)],
  "tools/call": [answer('{"content":[]}')],
};

function ledgerOf(place: Place): string {
  return join(place.folder, "state/countersign/ledger.db");
}

/** Lets the server be seen and approved, so that there is something to fail to allow. */
async function approved(place: Place): Promise<readonly string[]> {
  const command = place.guarded("raw", scripted(place, serverSays));
  const host = place.host(command);
  await host.initialize();
  await approve(place, "raw");
  expect(toolNames(await host.ask("tools/list"))).toEqual(["a"]);
  await host.end();
  return command;
}

/** Starts a guard on a ledger that cannot serve: nothing is allowed, the server is not started, and one line says why. */
async function failsToStart(place: Place, command: readonly string[]): Promise<string> {
  const host = place.host(command);
  host.send({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {} } });
  expect(await host.exit).toEqual({ code: 3, signal: null });
  expect(host.lines).toEqual([]);
  expect(host.stderr).toMatch(/^countersign: Cannot .+\n$/);
  return host.stderr;
}

describe("a ledger that cannot serve allows nothing", { concurrent: true }, () => {
  test("because a newer Countersign wrote it [endurance.newer]", async ({ place }) => {
    const command = await approved(place);
    const database = new DatabaseSync(ledgerOf(place));
    database.exec("PRAGMA user_version = 99");
    database.close();
    expect(await failsToStart(place, command)).toBe(
      `countersign: Cannot open ledger "${ledgerOf(place)}": a newer Countersign wrote it (version 99; this one knows 4); update Countersign\n`,
    );
  });

  test("because it is no ledger any more [endurance.damaged]", async ({ place }) => {
    const command = await approved(place);
    for (const end of ["-wal", "-shm"]) rmSync(`${ledgerOf(place)}${end}`, { force: true });
    writeFileSync(ledgerOf(place), Buffer.alloc(8_192, "x"));
    expect(await failsToStart(place, command)).toContain("restore a copy of it, or name another file");
  });

  test("because its disk was full before it began [endurance.disk-full]", async ({ place, skip }) => {
    if (!canMount) return skip("only root can mount a small disk");
    await onSmallDisk(place, async (disk) => {
      fill(disk);
      const command = place.guarded("raw", scripted(place, serverSays));
      expect(await failsToStart(place, command)).toContain("check the path, its permissions and the space on the disk");
    });
  });

  test("because it may only be read [endurance.read-only]", async ({ place, skip }) => {
    if (!canMount && process.getuid?.() === 0) return skip("root can write everywhere but on a read-only disk");
    if (canMount) {
      await onSmallDisk(place, async (disk) => {
        const command = await approved(place);
        disk.makeReadOnly();
        expect(await failsToStart(place, command)).toContain("Cannot open ledger");
      });
      return;
    }
    const command = await approved(place);
    chmodSync(ledgerOf(place), 0o400);
    chmodSync(join(ledgerOf(place), ".."), 0o500);
    expect(await failsToStart(place, command)).toContain("Cannot open ledger");
    chmodSync(join(ledgerOf(place), ".."), 0o700);
  });
});

describe("a disk that fills up under a running guard", () => {
  test("loses no approval and allows nothing new, and each command says so in one line [endurance.disk-fills]", async ({
    place,
    skip,
  }) => {
    if (!canMount) return skip("only root can mount a small disk");
    await onSmallDisk(place, async (disk) => {
      const changing = {
        ...serverSays,
        "tools/list#3": [answer(`{"tools":[${tool("a")},${tool("b", "x".repeat(40_000))}]}`)],
      };
      const host = place.host(place.guarded("raw", scripted(place, changing)));
      await host.initialize();
      await approve(place, "raw");
      expect(toolNames(await host.ask("tools/list"))).toEqual(["a"]);
      const offer = await offerOf(place, "raw");
      const filler = fill(disk);
      const list = await host.ask("tools/list");
      expect(list.result).toBeUndefined();
      expect(list.error?.message).toBe("Countersign could not judge this, so it is withheld");
      const { code, stdout, stderr } = await place.countersign("revoke", "raw", "tool", "a");
      expect([code, stdout]).toEqual([3, ""]);
      expect(stderr).toMatch(/^countersign: Cannot .+ the space on the disk\n$/);
      rmSync(filler);
      expect(toolNames(await host.ask("tools/list"))).toEqual(["a"]);
      expect(await offerOf(place, "raw")).toBe(offer);
      expect((await place.countersign("log", "--verify")).code).toBe(0);
    });
  });
});

async function onSmallDisk(place: Place, use: (disk: SmallDisk) => Promise<void>): Promise<void> {
  const disk = smallDisk(join(place.folder, "state/countersign"), 1_024);
  try {
    await use(disk);
  } finally {
    disk.unmount();
  }
}

/** Writes until nothing more fits. Returns the file that took the space. */
function fill(disk: SmallDisk): string {
  const file = join(disk.folder, "filler");
  for (const size of [65_536, 4_096, 1]) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: "a" });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
  expect(existsSync(file) && readFileSync(file).length).toBeGreaterThan(65_536);
  return file;
}
