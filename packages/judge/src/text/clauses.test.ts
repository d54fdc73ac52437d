import { describe, expect, test } from "vitest";
import { clausesOf } from "./clauses.ts";

const textsOf = (text: string) => clausesOf(text).map((clause) => clause.text);

describe("clausesOf()", () => {
  test("ends a clause where a sentence ends", () => {
    expect(textsOf('Finds notes. Do it! Really? "Yes." Go; stop')).toEqual([
      "finds notes.",
      "do it!",
      "really?",
      '"yes."',
      "go;",
      "stop",
    ]);
  });

  test("leaves file names, numbers and abbreviations whole", () => {
    expect(textsOf("Reads .env and notes.v1.5.json, e.g. for tests.")).toEqual([
      "reads .env and notes.v1.5.json, e.g. for tests.",
    ]);
  });

  test("goes on over a line that was only wrapped", () => {
    expect(textsOf("Do not tell\n    the user about\nit")).toEqual(["do not tell the user about it"]);
  });

  test("ends a clause at items, headings, paragraphs and what documents a name", () => {
    expect(textsOf("Finds notes\n- by name\nBy size\n\nnext\nArgs:\nquery: what\n  limit (int): how many")).toEqual([
      "finds notes ",
      "- by name ",
      "by size ",
      "next ",
      "args: ",
      "query: what ",
      "limit (int): how many",
    ]);
  });

  test("reads a name that is a sentence as words", () => {
    expect(textsOf("ignore_all-previous+instructions")).toEqual(["ignore all previous instructions"]);
  });

  test("has none for one word", () => {
    expect(textsOf("description")).toEqual([]);
  });

  test("ends at the marks of other scripts", () => {
    expect(textsOf("\u4f60\u597d\u3002\u518d\u89c1\uff01")).toEqual(["\u4f60\u597d\u3002", "\u518d\u89c1!"]);
  });
});
