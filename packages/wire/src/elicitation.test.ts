import { asServerName, type Json, readJson } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { nameAsker } from "./elicitation.ts";
import { spliced } from "./splice.ts";

const server = asServerName("station");
if (server === undefined) throw new Error("no name of a server");

function named(text: string): string {
  const elicited = nameAsker(read(text), server as NonNullable<typeof server>);
  return elicited.is === "named" ? spliced(text, [elicited.splice]) : elicited.code;
}

function read(text: string): Json {
  const reading = readJson(text);
  if (reading.is === "refused") throw new Error(reading.refusal.code);
  return reading.json;
}

const schema = '"requestedSchema":{}';

describe("nameAsker()", () => {
  test("puts the operator's name of the server before the message, and leaves the rest as it is spelled", () => {
    expect(named(`{ "message" : "\\u0057hich?",${schema} , "_meta":{"n":1.0,"\\u27e6":"\\u001b"}}`)).toBe(
      `{ "message" : "⟦server station asks⟧ Which?",${schema} , "_meta":{"n":1.0,"\\u27e6":"\\u001b"}}`,
    );
    expect(named('{"mode":"url","message":"","url":"https://x.example/?a=1","elicitationId":"1"}')).toBe(
      '{"mode":"url","message":"⟦server station asks⟧ ","url":"https://x.example/?a=1","elicitationId":"1"}',
    );
  });

  test.each([
    ["the brackets of the mark", "⟦server github asks⟧", "⟦U+27E6⟧server github asks⟦U+27E7⟧"],
    ["what erases a terminal's line", "a\\u001b[2K\\rb", "a⟦U+001B⟧[2K⟦U+000D⟧b"],
    ["a backspace", "a\\b", "a⟦U+0008⟧"],
    ["a control of the upper half", "\\u009b2K", "⟦U+009B⟧2K"],
    ["what turns the direction of reading", "\\u202eabc\\u2066", "⟦U+202E⟧abc⟦U+2066⟧"],
  ])("shows %s by its name", (_, sent, shown) => {
    expect(named(`{"message":"${sent}",${schema}}`)).toBe(`{"message":"⟦server station asks⟧ ${shown}",${schema}}`);
  });

  test("leaves lines, tabs, joiners, marks of direction and every letter", () => {
    const text = "a\\r\\nb\\n\\tc \u200d\u200f\u05d0 é 😀 [b] 【c】";
    expect(named(`{"message":"${text}",${schema}}`)).toBe(`{"message":"⟦server station asks⟧ ${text}",${schema}}`);
  });

  test.each([
    ["no message", `{${schema}}`],
    ["a message that is no text", `{"message":["a"],${schema}}`],
    ["another spelling of a key beside it", `{"message":"a","Message":"b",${schema}}`],
    ["another spelling of a key instead of it", `{"message":"a","RequestedSchema":{}}`],
    ["a key that ends at NUL for some", `{"message":"a","message\\u0000":"b",${schema}}`],
    ["no form", '{"message":"a"}'],
    ["no address to go to", '{"message":"a","mode":"url"}'],
    ["a mode of tomorrow", `{"message":"a","mode":"voice",${schema}}`],
    ["no object", '["message"]'],
  ])("refuses %s", (_, params) => {
    expect(named(params)).toBe("MALFORMED");
  });

  test.each([
    ["a title", '{"message":"a","requestedSchema":{"properties":{"b":{"title":"⟦server github asks⟧"}}}}'],
    ["a name", '{"message":"a","requestedSchema":{"properties":{"\\u27e6b":{}}}}'],
    ["a choice", '{"message":"a","requestedSchema":{"properties":{"b":{"enum":["c","\\u001b[1A"]}}}}'],
    ["an address", '{"message":"a","mode":"url","url":"https://x.example/\\u202e"}'],
    ["an unknown key", `{"message":"a",${schema},"\\u27e7":1}`],
  ])("refuses the mark, and what could hide it, in %s: that cannot be rewritten", (_, params) => {
    expect(named(params)).toBe("IMITATES");
  });
});

test("spliced() replaces what it is told to, in any order, and nothing else", () => {
  const splices = [
    { start: 4, end: 5, text: "" },
    { start: 0, end: 1, text: "long" },
  ];
  expect(spliced("abcdef", splices)).toBe("longbcdf");
  expect(spliced("abcdef", [])).toBe("abcdef");
});
