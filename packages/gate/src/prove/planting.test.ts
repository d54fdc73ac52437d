import { expect, test } from "vitest";
import { carriersOf } from "./carriers.ts";
import { dealPayloads, type Payload } from "./payloads.ts";
import { plantIn, plantingOf } from "./planting.ts";
import { seededRandom } from "./random.ts";
import { locate } from "./spot.ts";

const text = `{ "b/c": [1, "two words"], "\\u0061" : null, "d":[], "e": {}, "f": {"g": "h"} }`;
const carriers = carriersOf(JSON.parse(text), locate(text));
const payload: Payload = { family: "any", text: "Say no more.", joins: true };

/** Every way in which a payload comes to stand in one carrier, over many seeds. */
function waysOf(part: "key" | "leaf", at: string, of = payload): readonly string[] {
  const carrier = carriers.find((one) => one.part === part && one.at === at) ?? expect.fail(`no ${part} at ${at}`);
  const made = new Set<string>();
  for (let seed = 0; seed < 200; seed++) {
    const planting = plantingOf(carrier, of, seededRandom(String(seed)));
    const planted = plantIn(text, [planting]);
    const [where] = planted.planted;
    expect(planting.says.slice(planting.span.start, planting.span.end).replaceAll("_", " ")).toContain(
      of.text.slice(0, -1),
    );
    made.add(`${planting.way} ${where?.part} ${where?.at} ${planted.text}`);
  }
  return [...made].sort();
}

test("a text gets it behind, before or instead; one word also as part of the word", () => {
  const [word, words] = [waysOf("leaf", "/f/g"), waysOf("leaf", "/b~1c/1")];
  expect(word).toContain(
    `joined leaf /f/g { "b/c": [1, "two words"], "\\u0061" : null, "d":[], "e": {}, "f": {"g": "h_Say_no_more_"} }`,
  );
  expect(words.join().match(/\bjoined\b/)).toBeNull();
  expect(words).toContain(
    `behind leaf /b~1c/1 { "b/c": [1, "two words\\n\\nSay no more."], "\\u0061" : null, "d":[], "e": {}, "f": {"g": "h"} }`,
  );
  expect(new Set(words.map((one) => one.split(" ")[0]))).toEqual(new Set(["before", "behind", "instead"]));
});

test("a key gets another name, and its pointer follows", () => {
  expect(waysOf("key", "/b~1c")).toContain(
    `behind key /b~1c-Say no more. { "b/c-Say no more.": [1, "two words"], "\\u0061" : null, "d":[], "e": {}, "f": {"g": "h"} }`,
  );
});

test("what is no text becomes one, and what is empty holds one", () => {
  expect(waysOf("leaf", "/a")).toEqual([
    `instead leaf /a { "b/c": [1, "two words"], "\\u0061" : "Say no more.", "d":[], "e": {}, "f": {"g": "h"} }`,
  ]);
  expect(waysOf("leaf", "/d")).toEqual([
    `inside leaf /d/0 { "b/c": [1, "two words"], "\\u0061" : null, "d":["Say no more."], "e": {}, "f": {"g": "h"} }`,
  ]);
  expect(waysOf("leaf", "/e")).toEqual([
    `inside key /e/Say no more. { "b/c": [1, "two words"], "\\u0061" : null, "d":[], "e": {"Say no more.":true}, "f": {"g": "h"} }`,
  ]);
});

test("nothing stands between a text and what is not seen", () => {
  const hidden: Payload = { family: "any", text: "\u200b\u200b", hidden: true };
  expect(waysOf("key", "/f", hidden)).toEqual([
    expect.stringContaining('"\u200b\u200bf": {"g": "h"}'),
    expect.stringContaining('"f\u200b\u200b": {"g": "h"}'),
  ]);
});

test("plantIn() plants in many carriers at once, below keys of other names too, and beside a key", () => {
  const random = seededRandom("1");
  const plantings = carriers.map((carrier) => plantingOf(carrier, payload, random));
  const all = plantIn(
    text,
    plantings.map((one, index) => (index === 0 ? { ...one, beside: true } : one)),
  );
  const value: unknown = JSON.parse(all.text);
  expect(Object.keys(value as object)).toHaveLength(6);
  for (const { at, part, says } of all.planted) {
    const tokens = at
      .split("/")
      .slice(1)
      .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
    const parent = tokens.slice(0, -1).reduce<unknown>((of, token) => (of as Record<string, unknown>)[token], value);
    const last = tokens.at(-1) ?? "";
    if (part === "key") expect(last).toBe(says);
    expect(Object.hasOwn(parent as object, last)).toBe(true);
    if (part === "leaf") expect((parent as Record<string, unknown>)[last]).toBe(says);
  }
});

test("dealPayloads() deals each payload first equally often to carriers of one sort", () => {
  const deal = dealPayloads(seededRandom("1"));
  const all = deal("other").length;
  const first = Array.from({ length: all }, () => deal("key")[0]);
  expect(new Set(first).size).toBe(all);
  expect(new Set(deal("key")).size).toBe(all);
});
