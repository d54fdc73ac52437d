import { expect, test } from "vitest";
import { lookAtLedger } from "./ledger-look.ts";

test("lookAtLedger() knows a ledger that can be read, and how long ago that was [operate.health]", async () => {
  let now = 0;
  let reads = 0;
  const seq = async () => ++reads;
  const looked = lookAtLedger({ ledger: { seq }, trouble: () => undefined, now: () => now });
  expect(await looked.isReadable()).toBe(true);
  now = 500;
  await Promise.all(Array.from({ length: 100 }, () => looked.isReadable()));
  expect([reads, looked.age()]).toEqual([1, 0.5]);
  now = 5_000;
  await Promise.all(Array.from({ length: 100 }, () => looked.isReadable()));
  expect([reads, looked.age()]).toEqual([2, 0]);
  looked.stop();
});

test("lookAtLedger() says that a ledger cannot be read, and why it could not, once [operate.health]", async () => {
  let now = 0;
  let broken = false;
  const said: string[] = [];
  const seq = async () => {
    if (broken) throw new Error("disk I/O error");
    return 1;
  };
  const looked = lookAtLedger({ ledger: { seq }, trouble: (error) => said.push(error), now: () => now });
  expect(await looked.isReadable()).toBe(true);
  broken = true;
  now = 10_000;
  expect(await looked.isReadable()).toBe(false);
  expect(await looked.isReadable()).toBe(false);
  expect([said, looked.age()]).toEqual([["disk I/O error"], 10]);
  broken = false;
  expect(await looked.isReadable()).toBe(true);
  looked.stop();
});

test("lookAtLedger() does not wait for ever for a ledger that does not answer [operate.health]", async () => {
  const looked = lookAtLedger({
    ledger: { seq: () => new Promise(() => undefined) },
    trouble: () => undefined,
    patience: 20,
  });
  expect(await looked.isReadable()).toBe(false);
  looked.stop();
});
