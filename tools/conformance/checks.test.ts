import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Check, checksIn, countOf, differencesOf } from "./checks.ts";

const check = (id: string, status: string, because = ""): Check => ({
  ...{ scenario: "ping", id, name: id, status, because },
});

describe("checksIn()", () => {
  test("reads what the suite writes, by scenario", () => {
    const folder = mkdtempSync(join(tmpdir(), "checks-"));
    try {
      for (const [name, status] of [
        ["server-json-schema-2020-12-2026-12-01T04-21-42-315Z", "SUCCESS"],
        ["ping-2026-12-01T04-21-43-001Z", "FAILURE"],
      ] as const) {
        mkdirSync(join(folder, name));
        const written = [{ id: "a", name: "A", description: "", status, errorMessage: "why", details: {} }];
        writeFileSync(join(folder, name, "checks.json"), JSON.stringify(written));
      }
      expect(checksIn(folder)).toEqual([
        { scenario: "ping", id: "a", name: "A", status: "FAILURE", because: "why" },
        { scenario: "json-schema-2020-12", id: "a", name: "A", status: "SUCCESS", because: "why" },
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("countOf()", () => {
  test("counts what passed and what failed, and nothing else", () => {
    const statuses = ["SUCCESS", "FAILURE", "SUCCESS", "WARNING", "INFO", "SKIPPED"];
    expect(countOf(statuses.map((status) => check("a", status)))).toEqual({ passed: 2, of: 3 });
  });
});

describe("differencesOf()", () => {
  test("is empty where all is the same, whatever was only reported", () => {
    const all = [check("a", "SUCCESS"), check("a", "FAILURE"), check("b", "INFO")];
    expect(differencesOf(all, [...all, check("incoming-sse-event", "INFO")])).toEqual([]);
  });

  test("tells checks of one name apart, and misses none", () => {
    const direct = [check("a", "SUCCESS"), check("a", "SUCCESS"), check("b", "SUCCESS")];
    const through = [check("a", "SUCCESS"), check("a", "WARNING", "too late"), check("c", "INFO")];
    expect(differencesOf(direct, through)).toEqual([
      { scenario: "ping", check: "a", direct: "SUCCESS", through: "WARNING", because: "too late" },
      { scenario: "ping", check: "b", direct: "SUCCESS", through: "absent", because: "" },
      { scenario: "ping", check: "c", direct: "absent", through: "INFO", because: "" },
    ]);
  });
});
