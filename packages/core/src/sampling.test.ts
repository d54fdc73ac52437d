import { expect, test } from "vitest";
import { asServerName } from "./address.ts";
import { readJson } from "./json.ts";
import { readSampling, type Sampling } from "./sampling.ts";

function samplingOf(text: string): Sampling | undefined {
  const server = asServerName("station");
  const reading = readJson(text);
  if (server === undefined || reading.is === "refused" || reading.json.is !== "object") throw new Error("no request");
  return readSampling(server, text, reading.json);
}

const tool = (name: string) => `{"name":"${name}", "inputSchema":{"type":"object"}}`;

test("readSampling() makes definitions of the system prompt and of every tool, in the text that was sent", () => {
  const sampling = samplingOf(`{"messages":[],"tools":[ ${tool("a")},${tool("b")}],"systemPrompt":"Be \\u0062rief."}`);
  expect(sampling?.definitions.map(({ address: { kind, name }, text }) => [kind, name, text])).toEqual([
    ["instructions", "sampling/createMessage", '"Be \\u0062rief."'],
    ["sampled-tool", "a", tool("a")],
    ["sampled-tool", "b", tool("b")],
  ]);
  expect(sampling?.malformed).toEqual([]);
});

test("readSampling() of neither is nothing to judge", () => {
  for (const text of ["{}", '{"messages":[{"role":"user"}],"tools":[]}']) {
    expect(samplingOf(text)).toMatchObject({ definitions: [], malformed: [] });
  }
});

test("readSampling() isolates what is malformed, as a list does", () => {
  const sampling = samplingOf(`{"systemPrompt":7,"tools":[${tool("a")},{"name":"b"},${tool("c")},${tool("c")},3]}`);
  expect(sampling?.definitions.map(({ address }) => address.name)).toEqual(["a"]);
  expect(sampling?.malformed).toEqual([
    { index: 0, kind: "instructions", name: "sampling/createMessage", faults: [{ code: "WRONG_TYPE", at: "" }] },
    { index: 2, kind: "sampled-tool", name: "b", faults: [{ code: "MISSING", at: "/inputSchema" }] },
    { index: 3, kind: "sampled-tool", name: "c", faults: [{ code: "DUPLICATE_NAME", at: "" }] },
    { index: 4, kind: "sampled-tool", name: "c", faults: [{ code: "DUPLICATE_NAME", at: "" }] },
    { index: 5, kind: "sampled-tool", faults: [{ code: "WRONG_TYPE", at: "" }] },
  ]);
});

test("readSampling() reads no tools in what is no list, and no more than an offer may be", () => {
  expect(samplingOf(`{"tools":{"0":${tool("a")}}}`)).toBeUndefined();
  expect(samplingOf(`{"systemPrompt":"${"a".repeat(2_097_150)}"}`)).toBeDefined();
  expect(samplingOf(`{"systemPrompt":"${"a".repeat(2_097_150)}","tools":[${tool("a")}]}`)).toBeUndefined();
});
