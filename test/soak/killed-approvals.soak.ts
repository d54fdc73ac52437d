import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
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
  /** In whose approval the kill was to fall. */
  readonly target: string;
}

test("[soak.killed-approvals] a kill costs no approval that was acknowledged, and makes none", async () => {
  let killed = 0;
  let written = 0;
  let acknowledged = 0;
  // Every fourth kill falls anywhere in an approval. What lies between write and acknowledgement is short, so the others
  // are aimed there: each a little later than the one before where that came too early, a little earlier where too late.
  let aim = 0.9;
  while (killed < kills || written < between) {
    expect(killed, "kills without enough of them between write and acknowledgement").toBeLessThan(4 * kills);
    const folder = mkdtempSync(join(tmpdir(), "countersign-soak-"));
    try {
      // A new ledger every ten kills: the process that reads it first should not take most of the time.
      const path = join(folder, "ledger.db");
      const expected = new Set<string>();
      for (let round = 0; round < 10 && (killed < kills || written < between); round++) {
        killed++;
        const aimed = killed % 4 !== 0;
        const part = aimed ? aim + 0.1 * (Math.random() - 0.5) : 1.2 * Math.random();
        const { acknowledged: said, underWay, target } = await killAt(path, `server-${round}`, part);
        acknowledged += said.size;
        for (const server of said) expected.add(server);
        const held = await approvedIn(path);
        if (underWay !== undefined && held.has(underWay)) {
          written++;
          expected.add(underWay);
        } else if (aimed) aim += said.has(target) ? -0.04 : 0.04;
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

/** Kills in the third to seventh approval, when so large a part of the time has passed that the ones before it took. */
async function killAt(ledger: string, name: string, part: number): Promise<Killed> {
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
      // A timer's milliseconds are too coarse for this.
      if (++begun === last) killWhen(began + median(took) * part);
    }
    if (word === "approved") {
      took.push(performance.now() - began);
      acknowledged.add(server);
      underWay = undefined;
    }
  });
  const killWhen = (moment: number): void => {
    if (performance.now() >= moment) child.kill("SIGKILL");
    else setImmediate(() => killWhen(moment));
  };
  const [code, signal] = await closed;
  expect([code, signal]).toEqual([null, "SIGKILL"]);
  return { acknowledged, underWay, target: `${name}-${last - 1}` };
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
