import { readJson } from "@countersign/core";
import { expect, test } from "vitest";
import { hostMethods } from "./methods.ts";

function json(text: string) {
  const reading = readJson(text);
  if (reading.is === "refused") throw new Error(reading.refusal.code);
  return reading.json;
}

test.each([
  ['{"type":"ref/prompt","name":"a"}', { kind: "prompt", name: "a" }],
  ['{"type":"ref/resource","uri":"a:b"}', { kind: "resource", name: "a:b" }],
  ['{"type":"ref/prompt","name":"a","Name":"b"}', undefined],
  ['{"type":"ref/prompt","Type":"ref/resource","name":"a","uri":"a:b"}', undefined],
  ['{"type":"ref/resource","uri":"a:b","uri\\u0000":"c:d"}', undefined],
])("completion/complete of %s", (ref, use) => {
  const method = hostMethods.get("completion/complete");
  if (method?.is !== "use") throw new Error("completion/complete names nothing");
  expect(method.of(json(`{"ref":${ref}}`))).toEqual(use);
});
