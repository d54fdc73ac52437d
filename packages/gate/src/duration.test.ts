import { describe, expect, test } from "vitest";
import { durationOf, lifetimeOf } from "./duration.ts";
import { GateError } from "./gate-error.ts";

describe("durationOf()", () => {
  test.each([
    ["1s", 1_000],
    ["90m", 5_400_000],
    ["1h", 3_600_000],
    ["24h", 86_400_000],
    ["86400s", 86_400_000],
  ])("reads %s", (text, milliseconds) => expect(durationOf(text)).toBe(milliseconds));

  test.each(["", "0h", "25h", "1441m", "1", "1d", "-1h", "1.5h", "1h30m", " 1h", "1h\n", "١h", "9999999s", "1H"])(
    "refuses %j",
    (text) => expect(() => durationOf(text)).toThrow(GateError),
  );
});

describe("lifetimeOf()", () => {
  test.each([
    ["1s", 1_000],
    ["12h", 43_200_000],
    ["30d", 2_592_000_000],
    ["366d", 31_622_400_000],
  ])("reads %s", (text, milliseconds) => expect(lifetimeOf(text, "an approval")).toBe(milliseconds));

  test.each(["", "0d", "367d", "8785h", "1w", "-1d", "1.5d", "1d12h", "1d\n", "never"])("refuses %j", (text) =>
    expect(() => lifetimeOf(text, "an approval")).toThrow(GateError),
  );
});
