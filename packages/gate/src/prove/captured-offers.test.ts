import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readCapturedOffers } from "./captured-offers.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "captured-"));
});
afterEach(() => rm(folder, { recursive: true }));

const write = (name: string, text: string) => writeFile(join(folder, name), text);

test("readCapturedOffers() reads both forms, and takes results as they are written", async () => {
  await write(
    "notes.json",
    `{ "pkg": "notes", "initialize": { "protocolVersion" : "2025-11-25", "capabilities":{} },
       "tools": { "pages": [ { "tools": [ { "name": "a b", "n": 1.0, "n": 1.0, "\\u0061": "\\" , " } ] }, { "tools": [] } ] },
       "prompts": { "pages": [], "error": { "code": -32601 } }, "resources": { "error": "no" },
       "resourceTemplates": { "pages": [] }, "discoverAfterInit": { "code": -32601, "message": "no" } }`,
  );
  await write(
    "notes.modern.json",
    `{ "results": { "prompts/list": { "code": -32601, "message": "no" }, "tools/list": { "tools": [] },
       "server/discover": { "capabilities": {} }, "listen": {} } }`,
  );
  await write("README.md", "not a capture");
  expect(await readCapturedOffers(folder)).toEqual([
    { server: "notes", source: "initialize", pages: ['{"protocolVersion":"2025-11-25","capabilities":{}}'] },
    {
      server: "notes",
      source: "tools/list",
      pages: ['{"tools":[{"name":"a b","n":1.0,"n":1.0,"\\u0061":"\\" , "}]}', '{"tools":[]}'],
    },
    { server: "notes.modern", source: "server/discover", pages: ['{"capabilities":{}}'] },
    { server: "notes.modern", source: "tools/list", pages: ['{"tools":[]}'] },
  ]);
});

test.each([
  ["notes.json", "{", "it is not JSON"],
  ["notes.json", "{}", "it holds neither results nor pages of a list"],
  ["not a name.json", "{}", "its name is no server name"],
])("readCapturedOffers() refuses a file that is no capture (%s: %s)", async (name, text, problem) => {
  await write(name, text);
  await expect(readCapturedOffers(folder)).rejects.toThrow(
    `Cannot read captured offers "${join(folder, name)}": ${problem}`,
  );
});

test("readCapturedOffers() refuses a folder without captures", async () => {
  await expect(readCapturedOffers(folder)).rejects.toThrow(`Cannot read captured offers "${folder}": it holds none`);
});
