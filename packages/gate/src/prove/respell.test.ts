import { expect, test } from "vitest";
import { seededRandom } from "./random.ts";
import { respell, spellings } from "./respell.ts";
import { locate } from "./spot.ts";

const text = `{"day":{"b":1,"a":[10,0.25,-0,1e3]},"url":"a/b \u{1f4dd}\\n","":""}`;

function spelled(name: string, seed: number, of = text): string {
  const spelling = spellings.find((one) => one.name === name) ?? expect.fail(`no spelling ${name}`);
  return respell(of, locate(of), spelling, seededRandom(String(seed)));
}

/** All that comes of one text, over many seeds. */
function spelledAll(name: string, of: string): readonly string[] {
  return [...new Set(Array.from({ length: 300 }, (_, seed) => spelled(name, seed, of)))].sort();
}

test("respell() keeps the value and changes the text", () => {
  for (const { name } of spellings) {
    for (let seed = 0; seed < 50; seed++) {
      expect(spelled(name, seed)).not.toBe(text);
      expect(JSON.parse(spelled(name, seed))).toEqual(JSON.parse(text));
    }
  }
});

test("respell() moves whole members and leaves what stands between them", () => {
  expect(spelledAll("key-order", `{ "a":1,\n"b": {"c":2 , "d":3} }`)).toEqual([`{ "b": {"d":3 , "c":2},\n"a":1 }`]);
});

test("respell() writes escapes in every way", () => {
  expect(spelledAll("escapes", '"/"')).toEqual(['"\\/"', '"\\u002F"', '"\\u002f"']);
  expect(spelledAll("escapes", '"\\n"')).toEqual(['"\\u000a"']);
  expect(spelledAll("escapes", '"\\u00e9"')).toEqual(['"\u00e9"']);
  expect(spelledAll("escapes", '"\\u001f"')).toEqual(['"\\u001F"']);
  expect(spelledAll("escapes", '"\u{1f4dd}"')).toEqual(['"\\uD83D\\uDCDD"', '"\\ud83d\\udcdd"']);
});

test("respell() writes numbers in every way", () => {
  expect(spelledAll("numbers", "10")).toEqual(["1.0e1", "10.0", "10E+00", "10e0", "1E1"]);
  expect(spelledAll("numbers", "-0.25")).toEqual(["-0.250", "-0.25E+00", "-0.25e0", "-2.50e-1", "-25E-2"]);
  expect(spelledAll("numbers", "0")).toEqual(["0.0", "0.0e0", "0E+00", "0E0", "0e0"]);
  expect(spelledAll("numbers", "1e3")).toEqual(["1.0e3", "1E3"]);
  expect(spelledAll("numbers", "9007199254740993")).toContain("9.0071992547409930e15");
});

test("respell() puts white space only between tokens", () => {
  expect(spelled("white-space", 1).replace(/[ \t\r\n]/g, "")).toBe(text.replace(" ", ""));
});
