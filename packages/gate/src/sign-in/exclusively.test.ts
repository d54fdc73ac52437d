import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { exclusively } from "./exclusively.ts";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "lock-")), "sign-ins");
});
afterEach(() => {
  rmSync(join(folder, ".."), { recursive: true });
});

test("one at a time, in one process", async () => {
  let inside = 0;
  let most = 0;
  const turns = Array.from({ length: 4 }, () =>
    exclusively({ name: "a.1", folder, patience: 5_000 }, async () => {
      most = Math.max(most, ++inside);
      await after(20);
      inside--;
    }),
  );
  await Promise.all(turns);
  expect([most, inside]).toEqual([1, 0]);
  expect((statSync(join(folder, "a.1.lock")).mode & 0o777).toString(8)).toBe("600");
});

test("another process is waited for, and one that died has let go [sign-in.one-at-a-time]", async () => {
  const script = `
    import { exclusively } from ${JSON.stringify(join(import.meta.dirname, "exclusively.ts"))};
    await exclusively({ name: "a.1", folder: ${JSON.stringify(folder)}, patience: 0 }, async () => {
      console.log("inside");
      await new Promise(() => setInterval(() => undefined, 1_000));
    });`;
  const other = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(other.stdout, "data");
  const turn = { name: "a.1", folder, patience: 0 };
  await expect(exclusively(turn, async () => "in")).rejects.toMatchObject({ failure: { is: "BUSY" } });
  expect(await exclusively({ ...turn, name: "b.1" }, async () => "in")).toBe("in");
  const waiting = exclusively({ ...turn, patience: 10_000 }, async () => "in");
  other.kill("SIGKILL");
  expect(await waiting).toBe("in");
});

test("what fails lets go as well", async () => {
  const turn = { name: "a.1", folder, patience: 0 };
  await expect(exclusively(turn, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await exclusively(turn, async () => "in")).toBe("in");
});
