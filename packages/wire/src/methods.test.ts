import { readJson } from "@countersign/core";
import { expect, test } from "vitest";
import { asksWhatMayNotPass, hostMethods } from "./methods.ts";

function json(text: string) {
  const reading = readJson(text);
  if (reading.is === "refused") throw new Error(reading.refusal.code);
  return reading.json;
}

test.each([
  ['{"content":[]}', false],
  ['{"inputRequests":{"a":{"method":"elicitation/create","params":{}}}}', false],
  ['{"inputRequests":{"a":{"method":"sampling/createMessage"}}}', true],
  ['{"inputRequests":{"a":{"method":"elicitation/create"},"b":{"method":"sampling/createMessage"}}}', true],
  ['{"inputRequests":[]}', true],
  ['{"inputRequests":{"a":{}}}', true],
  // What a reader sees who folds case or ends keys at NUL.
  ['{"InputRequests":{"a":{"method":"sampling/createMessage"}}}', true],
  ['{"inputRequests":{},"inputrequests":{"a":{"method":"sampling/createMessage"}}}', true],
  ['{"inputReque\u017fts":{"a":{"method":"sampling/createMessage"}}}', true],
  ['{"inputRequests\\u0000":{"a":{"method":"sampling/createMessage"}}}', true],
  ['{"inputRequests":{"a":{"method":"elicitation/create","Method":"sampling/createMessage"}}}', true],
  ['{"inputRequests":{"a":{"method":"elicitation/create","method\\u0000":"sampling/createMessage"}}}', true],
])("asksWhatMayNotPass() %s: %s", (result, expected) => {
  expect(asksWhatMayNotPass(json(result))).toBe(expected);
});

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
