import { expect, test } from "vitest";
import { foldedKey } from "./twins.ts";

test("foldedKey() folds every character that Go's encoding/json folds to an ASCII letter", () => {
  // All that `unicode.SimpleFold` of Go 1.26 relates to ASCII, and all that `json.Unmarshal` takes for a letter of a name.
  expect(foldedKey("\u017f")).toBe("s");
  expect(foldedKey("\u212a")).toBe("k");
  for (const letter of "abcdefghijklmnopqrstuvwxyz") expect(foldedKey(letter.toUpperCase())).toBe(letter);
});

test("foldedKey() folds what Java's equalsIgnoreCase and Python's casefold() fold to ASCII", () => {
  expect(foldedKey("\u0130")).toBe("i");
  expect(foldedKey("\u0131")).toBe("i");
  expect(foldedKey("\ufb01")).toBe("fi");
  expect(foldedKey("\u00df")).toBe("ss");
});

test("foldedKey() ends a key where C ends it", () => {
  expect(foldedKey("description\u0000")).toBe("description");
  expect(foldedKey("Description\u0000 of something else")).toBe("description");
  expect(foldedKey("\u0000description")).toBe("");
});

test("foldedKey() leaves every other difference between keys", () => {
  expect(foldedKey("input_schema")).toBe("input_schema");
  expect(foldedKey(" description")).toBe(" description");
  expect(foldedKey("\uff44escription")).toBe("\uff44escription");
  expect(foldedKey("d\u0435scription")).toBe("d\u0435scription");
  expect(foldedKey("description\u200b")).toBe("description\u200b");
});
