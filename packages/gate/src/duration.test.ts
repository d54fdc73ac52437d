import { describe, expect, test } from "vitest";
import { durationOf } from "./duration.ts";
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
