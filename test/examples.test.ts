import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect } from "vitest";
import { leftAfter } from "./rig/processes.ts";
import { test } from "./rig/test.ts";

const examples = resolve(import.meta.dirname, "../examples");

/** By folder, with what it calls itself. */
const frameworks = new Map([
  ["ai-sdk", "Vercel AI SDK"],
  ["langchain", "LangChain MCP adapters"],
  ["mastra", "Mastra"],
  ["openai-agents", "OpenAI Agents SDK"],
  ["sdk-v1", "MCP SDK, version 1"],
  ["sdk-v2", "MCP SDK, version 2"],
]);

test("every example is run here [library.examples]", () => {
  const folders = readdirSync(examples, { withFileTypes: true }).filter((one) => one.isDirectory());
  const names = folders.map(({ name }) => name).filter((name) => name !== "node_modules");
  expect(names.toSorted()).toEqual([...frameworks.keys()]);
});

describe("an agent of", () => {
  for (const [folder, framework] of frameworks) {
    test(`${framework} is given what was approved, and no rug pull [library.examples]`, async ({ place }) => {
      const script = join(examples, folder, "index.ts");
      const { code, stdout, stderr } = await new Promise<{ code: unknown; stdout: string; stderr: string }>((ended) => {
        // Whatever it starts has the folder in its command line.
        const options = { env: { ...place.env, TMPDIR: place.folder }, cwd: place.folder, timeout: 50_000 };
        execFile(process.execPath, [script], options, (error, stdout, stderr) => {
          ended({ code: error === null ? 0 : error.code, stdout, stderr });
        });
      });
      expect({ code, stderr: code === 0 ? "" : stderr }).toEqual({ code: 0, stderr: "" });
      // Some frameworks log to stdout as well.
      const said = stdout.split("\n").filter((line) => story.has(line) || line === `${framework}:`);
      expect(said).toEqual([`${framework}:`, ...story]);
      expect(await leftAfter(2_000, place.folder)).toEqual([]);
    });
  }
});

const story: ReadonlySet<string> = new Set([
  "  at first sight the model is given []",
  "  a person reviews and approves: approved 4 definitions of notes (entry 4 of the ledger); nothing of it waits any more",
  '  then it is given ["list_notes","read_note"]',
  '  and calls read_note "Buy milk."',
  '  after the rug pull it is given ["list_notes"]',
  '  and calls list_notes "milk.txt"',
  '  a call of read_note is refused "DESCRIPTION_MUTATION"',
]);
