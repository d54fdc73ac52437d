import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect } from "vitest";
import { requirements } from "./requirements.ts";
import type { Place } from "./rig/place.ts";
import { answer, hello, scripted, tool } from "./rig/script.ts";
import { test } from "./rig/test.ts";

const root = resolve(import.meta.dirname, "..");

describe("docs/complaints.md", () => {
  const rows = readFileSync(join(root, "docs/complaints.md"), "utf8")
    .split("\n")
    .map((line) => line.split(" | "))
    .filter(([first = ""]) => /^\| [0-9]/.test(first))
    .map(([number = "", , , shown = ""]) => ({ number: Number(number.slice(2)), shown }));

  test("has a row for each of thirty-five", () => {
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 35 }, (_, index) => index + 1));
  });

  for (const { number, shown } of rows) {
    test(`names in row ${number} what is there`, () => {
      const [now = ""] = shown.split("to come:");
      const named = [...now.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
      expect(named.filter((name) => !isThere(name))).toEqual([]);
      expect(named.length + (shown.includes("to come:") ? 1 : 0)).toBeGreaterThan(0);
    });
  }
});

/** A requirement in brackets, a test as `file > name`, or a file. */
function isThere(name: string): boolean {
  const id = /^\[(.*)\]$/.exec(name)?.[1];
  if (id !== undefined) return requirements.some((requirement) => requirement.id === id);
  const [file = "", title] = name.split(" > ");
  if (!existsSync(join(root, file))) return false;
  return title === undefined || readFileSync(join(root, file), "utf8").includes(`test("${title}`);
}

function offering(place: Place, ...tools: readonly string[]): readonly string[] {
  return scripted(place, { initialize: [hello("tools")], "tools/list": [answer(`{"tools":[${tools.join(",")}]}`)] });
}

async function scanned(place: Place, command: readonly string[]) {
  const { code, stdout } = await place.countersign("scan", "server", "--json", "--", ...command);
  return { code, report: JSON.parse(stdout) };
}

test("honest words are no findings [complaint.honest-words]", async ({ place }) => {
  const words = [
    "Only supports text files up to one megabyte in the current release of the server. For others there is read_binary. Use this tool for logs.",
    'Compares two values with > and <, as in a > b. Quotes with \\"> \\" as mail programs do; & and <b>bold</b> stay as they are.',
    "Creates a pull request and merges, deletes or closes branches of a repository. Admin rights, tokens and secrets are configured on the server.",
    "Executes a workflow, selects its inputs, drops stale runs, and updates the script that a job runs.",
  ];
  const command = offering(place, ...words.map((description, index) => tool(`tool_${index}`, description)));
  const { code, report } = await scanned(place, command);
  expect(report.definitions.flatMap(({ reasons }: { reasons: unknown[] }) => reasons)).toEqual([]);
  expect(code).toBe(0);
});

test("what is malformed is listed with its fault, and the rest lives [complaint.listed]", async ({ place }) => {
  const { report } = await scanned(
    place,
    offering(place, tool("good"), '{"name":"bad","description":7,"inputSchema":{"type":"object"}}'),
  );
  const found = report.definitions.map(({ name, reasons }: { name: string; reasons: unknown[] }) => [name, reasons]);
  expect(found).toContainEqual(["good", []]);
  expect(found).toContainEqual(["bad", [expect.objectContaining({ code: "MALFORMED" })]]);
});

test("text, JSON and the exit code say the same findings [complaint.one-model]", async ({ place }) => {
  const command = [process.execPath, join(root, "demo/poisoned-server.ts")];
  const { code, report } = await scanned(place, command);
  const text = await place.countersign("scan", "server", "--", ...command);
  const findings = report.definitions.flatMap(({ reasons }: { reasons: { rule: string; at: string }[] }) => reasons);
  expect(findings.length).toBeGreaterThan(5);
  const said = text.stdout.split("\n").filter((line) => line.startsWith("  description gate:"));
  expect(said).toEqual(
    findings.map(({ rule, effect, at }: Record<string, string>) => `  description gate: ${rule} (${effect}) at ${at}`),
  );
  expect([code, text.code]).toEqual([1, 1]);
});

test("a method that is declared and not known costs its own list only [complaint.method-not-found]", async ({
  place,
}) => {
  const refused = '{"jsonrpc":"2.0","id":$ID,"error":{"code":-32601,"message":"Method not found"}}';
  const command = scripted(place, {
    initialize: [hello("tools", "prompts")],
    "prompts/list": [refused],
    "tools/list": [answer(`{"tools":[${tool("a")}]}`)],
    // What is not declared is not asked for: this would end the look.
    "resources/list": [{ exit: 1 }],
  });
  const { code, report } = await scanned(place, command);
  expect(report.definitions.map(({ kind, name }: Record<string, string>) => `${kind} ${name}`)).toContain("tool a");
  expect(report.failures).toMatchObject([{ source: "prompts/list" }]);
  expect(code).toBe(4);
});

test("a config that cannot be read is said to be so by line and column [complaint.config-errors]", async ({
  place,
}) => {
  const config = place.write("countersign.jsonc", '{\n  "servers": {\n    "files": { "mode": 7 },\n    oops\n  }\n}\n');
  const { code, stderr } = await place.countersign("scan", "files", "--config", config, "--", "node");
  expect(code).toBe(3);
  expect(stderr).toMatch(/[0-9]+:[0-9]+/);
  expect(stderr).not.toContain("[object");
});

test("nothing that judges can reach a network [complaint.local]", () => {
  const sources = ["core", "judge"].flatMap((name) => {
    const folder = join(root, "packages", name, "src");
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .map((file) => readFileSync(join(folder, file), "utf8"));
  });
  expect(sources.length).toBeGreaterThan(100);
  const reaching = /\bfrom "(?:node:)?(?:https?|net|tls|dgram|http2|child_process|dns)"|\bfetch\(|\bWebSocket\b/;
  expect(sources.filter((source) => reaching.test(source))).toEqual([]);
});

test("every command that a message or a document names is one [complaint.commands]", async ({ place }) => {
  const { stdout } = await place.countersign("--help");
  const verbs = new Set([...stdout.matchAll(/^ {2}([a-z]+(?:-[a-z]+)*)(?: |$)/gm)].map(([, name = ""]) => name));
  expect(verbs.size).toBeGreaterThan(15);
  const sources = ["packages/gate/src", "packages/ledger/src", "packages/wire/src", "docs"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /(?<!\.test)\.ts$|\.md$/.test(file))
      .map((file) => join(folder, file)),
  );
  const named = [...sources, "README.md"].flatMap((file) =>
    // A comment is read by nobody who could type it.
    [
      ...readFileSync(join(root, file), "utf8")
        .replace(/^\s*(?:\/?\*|\/\/).*$/gm, "")
        .matchAll(/(?<=[`$"] ?|: |run )countersign ([a-z]+(?:-[a-z]+)*)\b/g),
    ].map(([, verb = ""]) => ({ file, verb })),
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ verb }) => !verbs.has(verb))).toEqual([]);
});
