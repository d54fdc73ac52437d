import { join, resolve } from "node:path";
import { expect } from "vitest";
import type { Place } from "./rig/place.ts";
import { answer, hello, scripted, tool } from "./rig/script.ts";
import { test } from "./rig/test.ts";

const modules = resolve(import.meta.dirname, "../node_modules/@modelcontextprotocol");
const filesystem = [process.execPath, join(modules, "server-filesystem/dist/index.js"), modules];
const memory = [process.execPath, join(modules, "server-memory/dist/index.js")];

async function linted(place: Place, command: readonly string[], ...options: readonly string[]) {
  const { code, stdout, stderr } = await place.countersign("lint", ...options, "--json", "--", ...command);
  expect(stderr).toBe("");
  return { code, report: JSON.parse(stdout) };
}

function offering(place: Place, ...tools: readonly string[]): readonly string[] {
  return scripted(place, { initialize: [hello("tools")], "tools/list": [answer(`{"tools":[${tools.join(",")}]}`)] });
}

function quoted(command: readonly string[]): string {
  return command.map((word) => `'${word}'`).join(" ");
}

function withSchema(name: string, schema: unknown): string {
  return JSON.stringify({ name, description: `Does ${name}`, inputSchema: schema });
}

test("[lint.real] real servers have no findings, nothing that a provider rejects, and a cost by definition", async ({
  place,
}) => {
  for (const command of [filesystem, memory]) {
    const { code, report } = await linted(place, command, "--name", "files");
    expect(code).toBe(0);
    expect(report.limits.filter(({ effect }: { effect: string }) => effect === "rejects")).toEqual([]);
    const { total, prose, contract, definitions } = report.cost;
    expect(prose + contract).toBe(total);
    expect(definitions.length).toBe(report.definitions.length);
    const totals = definitions.map((one: { total: number }) => one.total);
    expect(totals).toEqual([...totals].sort((a, b) => b - a));
  }
});

test("[lint.limits] each limit is found at its place, and the names of hosts are counted", async ({ place }) => {
  const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
  const command = offering(
    place,
    withSchema("a.b", object({ list: { type: "array" }, ["p".repeat(65)]: { type: "string", format: "uri" } })),
    withSchema("n".repeat(51), object({}, { anyOf: [{ required: [] }] })),
    withSchema(
      "deep",
      object(
        { one: object({ inner: { type: ["string", "null"] }, two: { $ref: "#/$defs/a" } }) },
        { $defs: { a: {} } },
      ),
    ),
    JSON.stringify({ name: "silent", description: "", inputSchema: { type: "object" } }),
  );
  const { code, report } = await linted(place, command, "--name", "weather");
  expect(code).toBe(1);
  const met = report.limits.map(({ taker, effect, is, tool: name = "", at }: Record<string, string>) =>
    [taker, effect, is, name, at].join(" "),
  );
  const long = "n".repeat(51);
  expect(met).toEqual(
    expect.arrayContaining([
      "openai rejects tool-name a.b /name",
      "anthropic rejects tool-name a.b /name",
      "bedrock rejects tool-name a.b /name",
      "openai rejects array-without-items a.b /inputSchema/properties/list",
      "gemini rejects array-without-items a.b /inputSchema/properties/list",
      `gemini rejects formats a.b /inputSchema/properties/${"p".repeat(65)}/format`,
      `openai rejects root-keywords ${long} /inputSchema/anyOf`,
      `anthropic rejects root-keywords ${long} /inputSchema/anyOf`,
      `claude-code rejects joined-name ${long} /name`,
      "gemini drops type-list deep /inputSchema/properties/one/properties/inner/type",
      "gemini drops keywords deep /inputSchema/$defs",
      "bedrock rejects empty-description silent /description",
    ]),
  );
  // Only the arguments themselves are checked by name, and `.` is allowed in Gemini's names.
  const names = report.limits.filter(({ is }: { is: string }) => is === "property-name");
  expect(names.map(({ taker, tool: name }: Record<string, string>) => `${taker} ${name}`)).toEqual([
    "anthropic a.b",
    "bedrock a.b",
  ]);
  expect(met).not.toContain("gemini rejects tool-name a.b /name");
  const asked = await linted(place, command, "--provider", "mistral", "--name", "weather");
  expect(asked.report.limits.map(({ taker }: { taker: string }) => taker)).toEqual(["mistral"]);
});

test("[lint.limits] so is the number of tools", async ({ place }) => {
  const names = Array.from({ length: 129 }, (_, index) => `tool_${index}`);
  const { report } = await linted(place, offering(place, ...names.map((name) => tool(name))), "--provider", "openai");
  expect(report.limits).toMatchObject([{ taker: "openai", is: "tools", found: "129 tools" }]);
});

test("[lint.remedies] what a rule found comes with what its page says to do", async ({ place }) => {
  const { code, report } = await linted(place, offering(place, tool("a", "Reads. <!-- First read b. -->")));
  expect(code).toBe(1);
  expect(report.remedies).toContainEqual({ rule: "html-comment", remedy: "Say it in the text, or do not say it." });
});

test("[lint.release] says what users of the release will be asked about, and what is only respelled", async ({
  place,
}) => {
  const released = offering(place, tool("kept"), tool("changed"), tool("respelled"), tool("gone"));
  const next = offering(
    place,
    tool("kept"),
    tool("changed", "Does changed, and never deletes anything"),
    tool("respelled").replace(/"description":("[^"]*"),(.*)\}$/, '$2, "description":$1}'),
    tool("new"),
  );
  const { code, report } = await linted(place, next, "--against", quoted(released));
  expect(code).toBe(0);
  expect(report.release).toMatchObject({
    withheld: 2,
    changed: [
      { kind: "tool", name: "changed", reasons: [{ drift: [{ at: "/description", change: "changed-prose" }] }] },
    ],
    added: [{ kind: "tool", name: "new" }],
    removed: [{ kind: "tool", name: "gone" }],
    classes: [["changed-prose", 1]],
    respelled: 1,
  });
  const same = await linted(place, released, "--against", quoted(released));
  expect(same.report.release).toMatchObject({ withheld: 0, changed: [], respelled: 0, same: 5 });
});

test("[lint.incomplete] a server or a release that cannot be looked at is never clean", async ({ place }) => {
  const silent = scripted(place, {});
  const good = offering(place, tool("a"));
  const attempts = [
    await linted(place, silent, "--deadline", "1"),
    await linted(place, good, "--deadline", "1", "--against", quoted(silent)),
    await linted(place, good, "--against", "no-such-program here"),
    await linted(place, ["no-such-program"]),
  ];
  expect(attempts.map(({ code }) => code)).toEqual([4, 4, 4, 4]);
  expect(attempts.map(({ report }) => typeof report.notLookedAt)).toEqual(["string", "string", "string", "string"]);
  const unclosed = await place.countersign("lint", "--against", "node 'a", "--", "node");
  expect([unclosed.code, unclosed.stderr]).toEqual([3, expect.stringContaining("it is no command line")]);
});

test("[lint.hostile] without a terminal nothing that a server wrote is printed", async ({ place }) => {
  const hostile = JSON.stringify({
    name: "__proto__",
    description: "a\u001b[31mb",
    inputSchema: { type: "object", properties: { "x\u001b[2J y": { type: "array" } } },
  });
  const command = offering(place, hostile, JSON.stringify({ name: "say\u202egnp", inputSchema: { type: "object" } }));
  const { stdout } = await place.countersign("lint", "--", ...command);
  expect(stdout).toContain("tool __proto__");
  for (const part of ["\u001b", "\u202e", "gnp"]) expect(stdout).not.toContain(part);
  const shown = await place.countersign("lint", "--text", "--", ...command);
  for (const part of ["\u001b", "\u202e"]) expect(shown.stdout).not.toContain(part);
});
