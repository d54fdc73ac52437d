import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { RecordResult } from "./ledger.ts";
import { collect } from "./under-test/collect.ts";
import { approval, sampleTool, serverNamed, sighting, withdrawal } from "./under-test/samples.ts";
import { type StoreUnderTest, stores } from "./under-test/stores.ts";

for (const store of stores)
  describe(`several processes on one ledger in ${store.name}`, { timeout: 60_000 }, () => sharedLedgerContract(store));

/** Part of the contract of contract.test.ts: the part that takes real processes. */
function sharedLedgerContract(store: StoreUnderTest): void {
  const server = serverNamed("files");
  const tool = sampleTool("read");
  let folder: string;
  let place: string;
  let started: Started[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "countersign-ledger-"));
    place = store.placeIn(folder);
    started = [];
  });
  afterEach(async () => {
    for (const { child } of started) child.kill("SIGKILL");
    await Promise.all(started.map(({ ended }) => ended));
    await rm(folder, { recursive: true });
  });

  /** Starts the processes, and lets them all go on when the last one is ready. */
  async function startTogether(job: string, whos: readonly string[]): Promise<readonly Started[]> {
    const all = whos.map((who) => startProcess(store, place, job, who));
    started.push(...all);
    expect(await Promise.all(all.map(({ next }) => next()))).toEqual(whos.map(() => "ready"));
    for (const { say } of all) say();
    return all;
  }

  async function inLedger<T>(use: (ledger: Awaited<ReturnType<typeof store.open>>) => Promise<T>): Promise<T> {
    const ledger = await store.open(place);
    try {
      return await use(ledger);
    } finally {
      await ledger.close();
    }
  }

  const eight = Array.from({ length: 8 }, (_, index) => `server-${index}`);

  test("eight that start on a fresh ledger at once all succeed", async () => {
    const all = await startTogether("sight", eight);
    const results = (await Promise.all(all.map(({ next }) => next()))) as RecordResult[];
    expect(await Promise.all(all.map(({ ended }) => ended))).toEqual(eight.map(() => 0));
    const seqs = results.map((result) => (result.is === "recorded" ? result.seq : result.is));
    expect(seqs.sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    await inLedger(async (ledger) => {
      expect(await ledger.verify()).toMatchObject({ entries: 8, texts: 1, problems: [] });
      expect((await ledger.state()).servers.size).toBe(8);
    });
  });

  test("eight that sight the same at once record it once", async () => {
    await inLedger((ledger) => ledger.seq());
    const all = await startTogether("sight", Array(8).fill("files"));
    const results = (await Promise.all(all.map(({ next }) => next()))) as RecordResult[];
    expect(results.map(({ is }) => is).sort()).toEqual(["recorded", ...Array(7).fill("unchanged")]);
    await inLedger(async (ledger) => expect(await ledger.seq()).toBe(1));
  });

  test("of two approvers with the same expectation exactly one wins", async () => {
    await inLedger((ledger) => ledger.record(sighting(server, [tool]), { texts: [tool] }));
    const both = await startTogether("approve", ["ada", "bob"]);
    expect(await Promise.all(both.map(({ next }) => next()))).toEqual([1, 1]);
    for (const { say } of both) say();
    const results = (await Promise.all(both.map(({ next }) => next()))) as RecordResult[];
    expect(results.map(({ is }) => is).sort()).toEqual(["moved", "recorded"]);
    await inLedger(async (ledger) => {
      expect(await ledger.seq()).toBe(2);
      const winner = results[0]?.is === "recorded" ? "ada" : "bob";
      expect((await ledger.snapshot(server)).bindings.get("tool read")?.by).toBe(winner);
    });
  });

  test("killed in the middle of writing, it is sound and holds all that was acknowledged", {
    timeout: 60_000,
  }, async () => {
    const writers = await startTogether("sight for ever", ["ada", "bob"]);
    const acknowledged = new Set<number>();
    const listen = async ({ next }: Started, enough: number) => {
      for (let heard = 0; heard < enough; heard++) {
        const result = (await next()) as RecordResult | undefined;
        if (result === undefined) return;
        if (result.is === "recorded") acknowledged.add(result.seq);
      }
    };
    await Promise.all(writers.map((writer) => listen(writer, 50)));
    for (const { child } of writers) child.kill("SIGKILL");
    await Promise.all(writers.map((writer) => listen(writer, Number.POSITIVE_INFINITY)));
    expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual([null, null]);
    expect(acknowledged.size).toBeGreaterThanOrEqual(100);
    await inLedger(async (ledger) => {
      const held = new Set((await collect(ledger.entries())).map(({ seq }) => seq));
      expect([...acknowledged].filter((seq) => !held.has(seq))).toEqual([]);
      expect((await ledger.verify()).problems).toEqual([]);
      expect((await ledger.record(approval(server, [tool]), { texts: [tool] })).is).toBe("recorded");
    });
  });

  test("a reader sees a revocation by another at once", async () => {
    await inLedger(async (ledger) => {
      await ledger.record(approval(server, [tool]), { texts: [tool] });
      const [reader] = await startTogether("watch", ["reader"]);
      expect(await reader?.next()).toBe(1);
      await ledger.record(withdrawal("revoked", server, [tool]));
      reader?.say();
      expect(await reader?.next()).toBe(0);
      reader?.child.stdin.end();
      expect(await reader?.ended).toBe(0);
    });
  });
}

interface Started {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** Gives it the word to go on. */
  readonly say: () => void;
  /** The next thing it says; undefined when it has ended. */
  readonly next: () => Promise<unknown>;
  /** Its exit code, or null after a signal. */
  readonly ended: Promise<number | null>;
}

function startProcess(store: StoreUnderTest, place: string, job: string, who: string): Started {
  const script = fileURLToPath(new URL("under-test/process.ts", import.meta.url));
  const args = ["--disable-warning=ExperimentalWarning", script, store.name, place, job, who];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const ended = once(child, "close").then(([code]) => code as number | null);
  const next = async (): Promise<unknown> => {
    const line = await lines.next();
    return line.done === true ? undefined : JSON.parse(line.value);
  };
  return { child, say: () => child.stdin.write("go\n"), next, ended };
}
