import { describe, expect, test } from "vitest";
import { type Carrier, carriersOf } from "./carriers.ts";
import { mutate, mutations } from "./mutations.ts";
import { seededRandom } from "./random.ts";
import { locate } from "./spot.ts";

const text = `{ "b": [1, "2", true], "\\u0061" : null, "caf\u00e9":{}, "d":[] }`;

/** Every text that a mutation makes of one carrier, over many seeds. */
function madeBy(name: string, part: Carrier["part"], at: string): readonly (readonly [string, readonly string[]])[] {
  const mutation = mutations.find((one) => one.name === name) ?? expect.fail(`no mutation ${name}`);
  const carriers = carriersOf(JSON.parse(text), locate(text));
  const carrier = carriers.find((one) => one.part === part && one.at === at) ?? expect.fail(`no ${part} at ${at}`);
  const made = new Map<string, readonly string[]>();
  for (let seed = 0; seed < 200; seed++) {
    const mutant = mutate(text, carrier, mutation, seededRandom(String(seed)));
    if (mutant !== undefined) made.set(mutant.text, mutant.places);
  }
  return [...made].sort(([a], [b]) => (a < b ? -1 : 1));
}

test("carriersOf() finds every key and every value that holds no other", () => {
  const carriers = carriersOf(JSON.parse(text), locate(text));
  expect(carriers.map(({ part, at }) => `${part} ${at}`)).toEqual([
    "key /b",
    "leaf /b/0",
    "leaf /b/1",
    "leaf /b/2",
    "key /a",
    "leaf /a",
    "key /caf\u00e9",
    "leaf /caf\u00e9",
    "key /d",
    "leaf /d",
  ]);
});

describe("mutate()", () => {
  test.each([
    ["change", "leaf", "/b/0", `{ "b": [2, "2", true], "\\u0061" : null, "caf\u00e9":{}, "d":[] }`, ["/b/0"]],
    ["change", "leaf", "/b/1", `{ "b": [1, "2 ", true], "\\u0061" : null, "caf\u00e9":{}, "d":[] }`, ["/b/1"]],
    ["change", "leaf", "/b/2", `{ "b": [1, "2", false], "\\u0061" : null, "caf\u00e9":{}, "d":[] }`, ["/b/2"]],
    ["change", "leaf", "/a", `{ "b": [1, "2", true], "\\u0061" : "null", "caf\u00e9":{}, "d":[] }`, ["/a"]],
    ["change", "leaf", "/d", `{ "b": [1, "2", true], "\\u0061" : null, "caf\u00e9":{}, "d":["added"] }`, ["/d"]],
    ["retype", "leaf", "/b/0", `{ "b": ["1", "2", true], "\\u0061" : null, "caf\u00e9":{}, "d":[] }`, ["/b/0"]],
    ["retype", "leaf", "/b/1", `{ "b": [1, 2, true], "\\u0061" : null, "caf\u00e9":{}, "d":[] }`, ["/b/1"]],
    ["retype", "leaf", "/d", `{ "b": [1, "2", true], "\\u0061" : null, "caf\u00e9":{}, "d":{} }`, ["/d"]],
    ["delete", "leaf", "/b/1", `{ "b": [1, true], "\\u0061" : null, "caf\u00e9":{}, "d":[] }`, ["/b"]],
    ["delete", "leaf", "/b/2", `{ "b": [1, "2"], "\\u0061" : null, "caf\u00e9":{}, "d":[] }`, ["/b"]],
    ["delete", "key", "/a", `{ "b": [1, "2", true], "caf\u00e9":{}, "d":[] }`, ["/a"]],
    ["delete", "key", "/d", `{ "b": [1, "2", true], "\\u0061" : null, "caf\u00e9":{} }`, ["/d"]],
    ["add-beside", "leaf", "/b/0", `{ "b": ["added",1, "2", true], "\\u0061" : null, "caf\u00e9":{}, "d":[] }`, ["/b"]],
    [
      "normalise",
      "key",
      "/caf\u00e9",
      `{ "b": [1, "2", true], "\\u0061" : null, "cafe\u0301":{}, "d":[] }`,
      ["/caf\u00e9", "/cafe\u0301"],
    ],
  ] as const)("can %s the %s at %s and leaves every other byte", (name, part, at, made, places) => {
    expect(madeBy(name, part, at)).toEqual([[made, places]]);
  });

  test("swaps an item with every other one", () => {
    expect(madeBy("swap", "leaf", "/b/0")).toEqual([
      [`{ "b": ["2", 1, true], "\\u0061" : null, "caf\u00e9":{}, "d":[] }`, ["/b"]],
      [`{ "b": [true, "2", 1], "\\u0061" : null, "caf\u00e9":{}, "d":[] }`, ["/b"]],
    ]);
  });

  test("adds keys that nobody knows, and keys that trip readers", () => {
    expect(madeBy("add-beside", "key", "/a").map(([, places]) => places)).toEqual([
      ["/$comment"],
      ["/__proto__"],
      ["/examples"],
      ["/note"],
      ["/toJSON"],
      ["/x-added"],
    ]);
  });

  test("puts what cannot be seen anywhere into a string or a key", () => {
    const made = madeBy("invisible", "leaf", "/b/1").map(([changed]) => JSON.parse(changed).b[1]);
    expect(new Set(made)).toEqual(
      new Set(["\u200b", "\u2060", "\u00ad", "\ufe0f", "\u{e0061}"].flatMap((hidden) => [`${hidden}2`, `2${hidden}`])),
    );
  });

  test("writes a key twice, before or behind, alike or escaped, with the value or another", () => {
    expect(madeBy("duplicate-key", "key", "/d").map(([changed]) => changed)).toEqual([
      `{ "b": [1, "2", true], "\\u0061" : null, "caf\u00e9":{}, "\\u0064":"added","d":[] }`,
      `{ "b": [1, "2", true], "\\u0061" : null, "caf\u00e9":{}, "\\u0064":[],"d":[] }`,
      `{ "b": [1, "2", true], "\\u0061" : null, "caf\u00e9":{}, "d":"added","d":[] }`,
      `{ "b": [1, "2", true], "\\u0061" : null, "caf\u00e9":{}, "d":[],"\\u0064":"added" }`,
      `{ "b": [1, "2", true], "\\u0061" : null, "caf\u00e9":{}, "d":[],"\\u0064":[] }`,
      `{ "b": [1, "2", true], "\\u0061" : null, "caf\u00e9":{}, "d":[],"d":"added" }`,
      `{ "b": [1, "2", true], "\\u0061" : null, "caf\u00e9":{}, "d":[],"d":[] }`,
    ]);
  });

  test("renames a key to none that is there, and names both places", () => {
    const made = madeBy("rename-key", "key", "/d");
    expect(made.length).toBeGreaterThan(20);
    for (const [changed, places] of made) {
      const [, , , key] = Object.keys(JSON.parse(changed));
      expect(["a", "b", "d"]).not.toContain(key);
      expect(places).toEqual(["/d", `/${key}`]);
    }
  });

  test("does nothing where there is nothing of the kind to change", () => {
    expect(madeBy("normalise", "leaf", "/b/1")).toEqual([]);
    expect(madeBy("swap", "leaf", "/a")).toEqual([]);
    expect(madeBy("invisible", "leaf", "/b/0")).toEqual([]);
    expect(madeBy("change", "key", "/b")).toEqual([]);
  });
});
