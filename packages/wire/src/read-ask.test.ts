import { asServerName } from "@countersign/core";
import { expect, test } from "vitest";
import { type Frame, readFrame } from "./frame.ts";
import { asksIn, onlyAsks, readAsks } from "./read-ask.ts";

const server = asServerName("station");

/** What becomes of each request that a result carries; undefined where it carries none in any spelling. */
function becomes(result: string, ...allow: readonly string[]): readonly string[] | undefined {
  const frame = resultOf(`{"jsonrpc":"2.0","id":1,"result":${result}}`);
  if (server === undefined) throw new Error("no name of a server");
  if (!asksIn(frame.page.result)) return undefined;
  const readings = readAsks(frame.page, { server, allow: new Set(allow) });
  return readings.map((reading) => (reading.is === "refused" ? reading.code : reading.is));
}

function resultOf(text: string): Extract<Frame, { is: "result" }> {
  const reading = readFrame(Buffer.from(text));
  if (reading.is === "refused" || reading.frame.is !== "result") throw new Error("no result");
  return reading.frame;
}

const elicits = '"method":"elicitation/create","params":{"message":"a","requestedSchema":{}}';
const samples = (params: string) => `{"inputRequests":{"a":{"method":"sampling/createMessage","params":${params}}}}`;

test.each([
  ['{"content":[]}', undefined],
  ['{"requestState":"a","structuredContent":{"inputRequests":{}}}', undefined],
  [`{"inputRequests":{"a":{${elicits}},"b":{"method":"roots/list"}}}`, ["passes", "passes"]],
  [`{"inputRequests":{"a":{${elicits}},"b":{"method":"sampling/createMessage"}}}`, ["passes", "NOT_ALLOWED"]],
  ['{"inputRequests":{"a":{"method":"tools/list"},"b":{"method":"__proto__"}}}', ["NOT_ALLOWED", "NOT_ALLOWED"]],
  ['{"inputRequests":{"a":{"method":"elicitation/create"}}}', ["MALFORMED"]],
  ['{"inputRequests":[]}', ["MALFORMED"]],
  ['{"inputRequests":{"a":{},"b":{"method":7},"c":[]}}', ["MALFORMED", "MALFORMED", "MALFORMED"]],
  // What a reader sees who folds case or ends keys at NUL.
  [`{"InputRequests":{"a":{${elicits}}}}`, ["MALFORMED"]],
  [`{"inputRequests":{},"inputrequests":{"a":{${elicits}}}}`, ["MALFORMED"]],
  [`{"inputReque\u017fts":{"a":{${elicits}}}}`, ["MALFORMED"]],
  [`{"inputRequests\\u0000":{"a":{${elicits}}}}`, ["MALFORMED"]],
  [`{"inputRequests":{"a":{${elicits},"Method":"sampling/createMessage"}}}`, ["MALFORMED"]],
  [`{"inputRequests":{"a":{${elicits},"params\\u0000":{}}}}`, ["MALFORMED"]],
])("readAsks() of %s", (result, expected) => {
  expect(becomes(result)).toEqual(expected);
});

test.each([
  ['{"messages":[]}', "sampling"],
  ['{"messages":[],"tools":[{"name":"a"}],"systemPrompt":7}', "sampling"],
  ['{"messages":[],"tools":{}}', "MALFORMED"],
  ['{"messages":[],"Tools":[]}', "MALFORMED"],
  ['{"messages":[],"tool\u017f":[]}', "MALFORMED"],
  ['{"messages":[],"systemprompt":"a"}', "MALFORMED"],
  ['{"messages":[],"systemPrompt\\u0000":"a"}', "MALFORMED"],
  ["[]", "MALFORMED"],
])("readAsks() of an allowed sampling request with %s", (params, expected) => {
  expect(becomes(samples(params), "sampling/createMessage")).toEqual([expected]);
});

test("readAsks() lets a method pass that is allowed, and no other", () => {
  const result = '{"inputRequests":{"a":{"method":"vendor/a"},"b":{"method":"vendor/b"}}}';
  expect(becomes(result, "vendor/a")).toEqual(["passes", "NOT_ALLOWED"]);
});

test.each([
  ['{"resultType":"input_required","inputRequests":{},"requestState":"a","_meta":{}}', true],
  ['{"inputRequests":{},"messages":[]}', false],
  ['{"resultType":"complete","messages":[]}', false],
])("onlyAsks() of %s is %s: what also answers is an answer", (result, expected) => {
  expect(onlyAsks(resultOf(`{"jsonrpc":"2.0","id":1,"result":${result}}`).page.result)).toBe(expected);
});
