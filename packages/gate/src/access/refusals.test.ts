import { describe, expect, test } from "vitest";
import type { AccessEvent } from "./access-event.ts";
import { Refusals } from "./refusals.ts";

function counted(most: number) {
  const said: string[] = [];
  let time = 0;
  const report = (event: AccessEvent) => {
    if (event.is === "refused") said.push(`${event.code} ${event.address} ${event.count}`);
  };
  const refusals = new Refusals({ most, report, now: () => time });
  return { refusals, said, later: (milliseconds: number) => (time += milliseconds) };
}

describe("Refusals", () => {
  test("[access.refusals] an address that failed too often in a minute is told to wait until it is over", () => {
    const { refusals, later } = counted(2);
    const fail = (address: string) => refusals.note({ code: "KEY_UNKNOWN" }, address);
    expect([fail("10.0.0.1").code, fail("10.0.0.1").code]).toEqual(["KEY_UNKNOWN", "KEY_UNKNOWN"]);
    later(20_000);
    expect(fail("10.0.0.1")).toEqual({ code: "TOO_MANY_REFUSED", seconds: 40 });
    expect(fail("10.0.0.2").code).toBe("KEY_UNKNOWN");
    later(40_000);
    expect(fail("10.0.0.1").code).toBe("KEY_UNKNOWN");
  });

  test("all addresses of one v6 network are one, and those of v4 are not", () => {
    const { refusals } = counted(1);
    const fail = (address: string) => refusals.note({ code: "TOKEN_SIGNATURE" }, address).code;
    expect([fail("2001:db8:0:1::1"), fail("2001:db8:0:1:ffff::2"), fail("2001:db8:0:2::1")]).toEqual([
      "TOKEN_SIGNATURE",
      "TOO_MANY_REFUSED",
      "TOKEN_SIGNATURE",
    ]);
    expect([fail("::ffff:10.0.0.1"), fail("::ffff:10.0.0.2")]).toEqual(["TOKEN_SIGNATURE", "TOKEN_SIGNATURE"]);
  });

  test("a client that has no credential yet, and a trouble of ours, are counted against nobody", () => {
    const { refusals } = counted(1);
    for (let count = 0; count < 5; count++) {
      for (const code of ["NO_CREDENTIAL", "LEDGER_TROUBLE", "KEY_SET_UNREACHABLE"] as const) {
        expect(refusals.note({ code }, "10.0.0.1")).toEqual({ code });
      }
    }
  });

  test("[access.refusals] the log says the first, the 10th, the 100th", () => {
    const { refusals, said } = counted(1_000);
    for (let count = 0; count < 100; count++) refusals.note({ code: "KEY_UNKNOWN" }, "10.0.0.1");
    refusals.note({ code: "KEY_EXPIRED" }, "10.0.0.1");
    expect(said).toEqual([
      "KEY_UNKNOWN 10.0.0.1 1",
      "KEY_UNKNOWN 10.0.0.1 10",
      "KEY_UNKNOWN 10.0.0.1 100",
      "KEY_EXPIRED 10.0.0.1 1",
    ]);
  });

  test("of more than four thousand addresses the oldest are forgotten, so that nobody fills the memory", () => {
    const { refusals } = counted(1);
    for (let count = 0; count < 5_000; count++) {
      refusals.note({ code: "KEY_UNKNOWN" }, `10.0.${count >> 8}.${count & 255}`);
    }
    expect(refusals.note({ code: "KEY_UNKNOWN" }, "10.0.19.135").code).toBe("TOO_MANY_REFUSED");
    expect(refusals.note({ code: "KEY_UNKNOWN" }, "10.0.0.0").code).toBe("KEY_UNKNOWN");
  });
});
