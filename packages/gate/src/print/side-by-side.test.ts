import { driftOf, readJson } from "@countersign/core";
import { expect, test } from "vitest";
import { sideBySide } from "./side-by-side.ts";

const view = { text: true, colour: true, contents: false, width: 100, height: 40 };
const column = 44;

function tool(description: string) {
  const reading = readJson(JSON.stringify({ name: "long", description, inputSchema: { type: "object" } }));
  if (reading.is === "refused") throw new RangeError(reading.refusal.code);
  return reading.json;
}

/** Words that share nothing, or what a server can do to make a comparison slow: few words, again and again. */
const pairs = [
  ["other words", (n: number) => `before${n}`, (n: number) => `after${n * 7}`],
  ["the same words in another order", (n: number) => `word${n}`, (n: number) => `word${(n * 7_919) % 34_000}`],
  ["one word but for a few", () => "same", (n: number) => (n % 1_000 === 7 ? "other" : "same")],
  ["hidden characters", (n: number) => `a${n}\u200b`, (n: number) => `a${n}\u2060`],
] as const;

for (const [what, before, after] of pairs) {
  test(`34,000 words against 34,000 are compared and shown within a second: ${what} [flood.diff]`, () => {
    const words = (word: (n: number) => string) => Array.from({ length: 34_000 }, (_, n) => word(n)).join(" ");
    const [was, is] = [words(before), words(after)];
    const held = process.memoryUsage().heapUsed;
    const start = performance.now();
    const drift = driftOf("tool", tool(was), tool(is));
    const lines = sideBySide(was, is, view);
    expect(performance.now() - start).toBeLessThan(1_000);
    expect((process.memoryUsage().heapUsed - held) / 1024 / 1024).toBeLessThan(150);
    expect(drift.map(({ at }) => at)).toEqual(["/description"]);
    // All of the change is there to be seen, however long it is.
    expect(lines.length).toBeGreaterThan(Math.floor((was.length - 34_000) / column / 2));
    expect(lines.length).toBeLessThan((Math.max(was.length, is.length) * 10) / column);
  });
}

function cells(before: string | undefined, after: string | undefined): readonly string[] {
  return sideBySide(before, after, { ...view, colour: false }).map(({ text }) => text.trimEnd());
}

test("sideBySide() names the letter that changed in its word", () => {
  expect(cells("Opens paypal.com", "Opens pаypal.com")).toEqual([
    `- Opens paypal.com${" ".repeat(30)} | + Opens pа⟦mixed scripts: Cyrillic U+0430⟧ypal.c`,
    `- ${" ".repeat(46)} | + om`,
  ]);
});

test("sideBySide() puts what stands behind thousands of line feeds directly behind their number", () => {
  expect(cells("Reads.", `Reads.${"\n".repeat(5_000)}Then deletes.`)).toEqual([
    `- Reads.${" ".repeat(40)} | + Reads.⟦5000 line feeds⟧Then deletes.`,
  ]);
  expect(cells(`a${"\n".repeat(5_000)}b`, `a${"\n".repeat(5_001)}b`)).toEqual([
    `- …⟦5000 line feeds⟧b${" ".repeat(27)} | + …⟦5001 line feeds⟧b`,
  ]);
});

test("sideBySide() counts the characters of both sides", () => {
  const rows = sideBySide("x".repeat(500), "y".repeat(700), view);
  expect(rows.reduce((sum, { characters }) => sum + characters, 0)).toBe(1_200);
});
