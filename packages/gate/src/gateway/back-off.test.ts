import { describe, expect, test } from "vitest";
import { BackOff } from "./back-off.ts";

describe("BackOff", () => {
  test("lets the first end pass, then waits twice as long each time, to half a minute", () => {
    const backOff = new BackOff();
    const waits = Array.from({ length: 10 }, () => {
      backOff.ended(10, 1_000);
      return backOff.wait(1_000);
    });
    expect(waits).toEqual([0, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  test("counts from the last end", () => {
    const backOff = new BackOff();
    for (const at of [0, 100]) backOff.ended(10, at);
    expect([100, 200, 350, 1_000].map((now) => backOff.wait(now))).toEqual([250, 150, 0, 0]);
  });

  test("forgets what went wrong before a server has run well", () => {
    const backOff = new BackOff();
    for (let at = 0; at < 5; at++) backOff.ended(10, at);
    backOff.ended(60_000, 70_000);
    expect(backOff.wait(70_000)).toBe(0);
  });
});
