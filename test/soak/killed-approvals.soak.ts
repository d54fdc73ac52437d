import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { openSqlite } from "@countersign/ledger";
import { expect, test } from "vitest";

/**
 * A process that approves is killed, again and again, at a moment that nobody chose. After each kill the ledger opens and
 * is sound, and holds every approval that was acknowledged, and no other but the one that was under way.
 */
const long = process.env["COUNTERSIGN_SOAK"] === "long";
const kills = long ? 200 : 25;
/** How many kills have to fall after an approval was written and before it was acknowledged. */
const between = long ? 50 : 8;
const program = resolve(import.meta.dirname, "../fixtures/approve-for-ever.ts");

interface Killed {
  readonly acknowledged: ReadonlySet<string>;
  /** What had begun and was not acknowledged. */
  readonly underWay: string | undefined;
}

/** When to kill: as soon as the journal is seen to be written to, or when such a part of an approval's usual time is over. */
type Moment = "at the write" | number;

test("[soak.killed-approvals] a kill costs no approval that was acknowledged, and makes none", async () => {
  let killed = 0;
  let written = 0;
  let acknowledged = 0;
  // Every fourth kill falls anywhere in an approval. What lies between write and acknowledgement is short, so the others
  // are aimed there.
  while (killed < kills || written < between) {
    expect(killed, "kills without enough of them between write and acknowledgement").toBeLessThan(4 * kills);
    const folder = mkdtempSync(join(tmpdir(), "countersign-soak-"));
    try {
      // A new ledger every ten kills: the process that reads it first should not take most of the time.
      const path = join(folder, "ledger.db");
      const expected = new Set<string>();
      for (let round = 0; round < 10 && (killed < kills || written < between); round++) {
        killed++;
        const moment = killed % 4 === 0 ? 1.2 * Math.random() : "at the write";
        const { acknowledged: said, underWay } = await killAt(path, `server-${round}`, moment);
        acknowledged += said.size;
        for (const server of said) expected.add(server);
        const held = await approvedIn(path);
        if (underWay !== undefined && held.has(underWay)) {
          written++;
          expected.add(underWay);
        }
        expect([...held].sort()).toEqual([...expected].sort());
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  console.log(
    `${killed} kills, ${written} of them between write and acknowledgement; ${acknowledged} acknowledged approvals, all held`,
  );
});

/** Kills in the third to seventh approval. */
async function killAt(ledger: string, name: string, moment: Moment): Promise<Killed> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, ledger, name], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const acknowledged = new Set<string>();
  let underWay: string | undefined;
  let begun = 0;
  let began = 0;
  const took: number[] = [];
  const last = 3 + Math.floor(Math.random() * 5);
  createInterface(child.stdout).on("line", (line) => {
    const [word, server = ""] = line.split(" ");
    if (word === "begins") {
      underWay = server;
      began = performance.now();
      if (++begun === last) killWhen(moment === "at the write" ? written(ledger) : over(began + median(took) * moment));
    }
    if (word === "approved") {
      took.push(performance.now() - began);
      acknowledged.add(server);
      underWay = undefined;
    }
  });
  // A timer's milliseconds are too coarse for this.
  const killWhen = (reached: () => boolean): void => {
    if (reached() || underWay === undefined) child.kill("SIGKILL");
    else setImmediate(() => killWhen(reached));
  };
  const [code, signal] = await closed;
  expect([code, signal]).toEqual([null, "SIGKILL"]);
  return { acknowledged, underWay };
}

function over(moment: number): () => boolean {
  return () => performance.now() >= moment;
}

/** SQLite appends a transaction to the log beside the ledger, whose header has 32 bytes: there is more, and it has stopped growing. */
function written(ledger: string): () => boolean {
  let last = logSize(ledger);
  const header = last + 32;
  return () => {
    const before = last;
    last = logSize(ledger);
    return last > header && last === before;
  };
}

function logSize(ledger: string): number {
  return statSync(`${ledger}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

async function approvedIn(path: string): Promise<ReadonlySet<string>> {
  const ledger = await openSqlite(path);
  try {
    expect((await ledger.verify()).problems).toEqual([]);
    const held = new Set<string>();
    for (const [server, { bindings }] of (await ledger.state()).servers) if (bindings.size > 0) held.add(server);
    return held;
  } finally {
    await ledger.close();
  }
}
