import { createHash } from "node:crypto";
import { expect } from "vitest";
import { definitions } from "./fixtures/both-eras-definitions.ts";
import type { Place } from "./rig/place.ts";
import { type Station, stationIn } from "./rig/station.ts";
import { test } from "./rig/test.ts";

/** An mcp-lock/1 file that pins these tools, made by a few lines of its own. */
function lockOf(tools: readonly Record<string, unknown>[], coverage: readonly string[]): string {
  const records = tools
    .map((tool) => Object.fromEntries(coverage.filter((key) => key in tool).map((key) => [key, tool[key]])))
    .sort((a, b) => (String(a["name"]) < String(b["name"]) ? -1 : 1));
  const surface = { hash: digest(records), coverage, toolCount: tools.length };
  const entry = { name: "org.example/weather", client: "cursor", surface };
  return JSON.stringify({ specVersion: 1, entries: [{ ...entry, integrity: digest(entry) }] });
}

function digest(value: unknown): string {
  return `sha256-${createHash("sha256")
    .update(JSON.stringify(sorted(value)))
    .digest("base64")}`;
}

/** Enough of RFC 8785 for what is hashed here, which has no key that looks like a number. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, sorted(inner)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

async function visit(station: Station): Promise<void> {
  const host = station.host();
  await host.initialize();
  await host.end();
}

async function importing(place: Place, path: string, ...more: readonly string[]) {
  const mapped = ["--server", "station=org.example/weather"];
  const { code, stdout } = await place.countersign("import", path, ...mapped, "--json", ...more);
  return { code, report: JSON.parse(stdout) };
}

const all = ["name", "description", "inputSchema"];

test("[import.compared] a lock says whether its part is the same, and what it says nothing of", async ({ place }) => {
  const station = stationIn(place);
  const path = place.write("mcp-lock.json", lockOf(definitions.tools, all));
  await visit(station);
  const { code, report } = await importing(place, path);
  expect(code).toBe(0);
  expect(report.format).toBe("mcp-lock/1");
  expect(report.entries).toMatchObject([
    { server: "station", result: "same", coverage: all, intact: true, tools: { locked: 3, offered: 3 } },
  ]);
  expect(report.entries[0].uncovered).toEqual([
    { is: "field", field: "title", tools: 1 },
    { is: "field", field: "outputSchema", tools: 1 },
    { is: "field", field: "annotations", tools: 2 },
    { is: "field", field: "_meta", tools: 1 },
    { is: "kind", kind: "launch", definitions: 1 },
    { is: "kind", kind: "prompt", definitions: 2 },
    { is: "kind", kind: "resource", definitions: 2 },
    { is: "kind", kind: "template", definitions: 2 },
    { is: "kind", kind: "body", definitions: 1 },
    { is: "kind", kind: "instructions", definitions: 1 },
    { is: "kind", kind: "server", definitions: 1 },
  ]);
});

test("[import.coverage] a change is told where the lock covers it, and is the same to it where it does not", async ({
  place,
}) => {
  const station = stationIn(place);
  const whole = place.write("mcp-lock.json", lockOf(definitions.tools, all));
  const part = place.write("part.json", lockOf(definitions.tools, ["name", "description"]));
  const results = async () => {
    await visit(station);
    const reports = [await importing(place, whole), await importing(place, part)];
    return reports.map(({ code, report }) => `${report.entries[0].result} ${code}`);
  };
  expect(await results()).toEqual(["same 0", "same 0"]);
  station.offer(({ tools }) => Object.assign(tools[0] ?? {}, { title: "Something else" }));
  expect(await results()).toEqual(["same 0", "same 0"]);
  station.offer(({ tools }) => Object.assign(tools[0] ?? {}, { inputSchema: { type: "object" } }));
  expect(await results()).toEqual(["differs 2", "same 0"]);
  station.offer(({ tools }) => Object.assign(tools[0] ?? {}, { description: "Something else" }));
  expect(await results()).toEqual(["differs 2", "differs 2"]);
});

test("[import.approves-nothing] a lock that is the same in all that it covers approves nothing", async ({ place }) => {
  const station = stationIn(place);
  const path = place.write("mcp-lock.json", lockOf(definitions.tools, all));
  await visit(station);
  const before = (await place.countersign("log", "station")).stdout;
  expect((await importing(place, path)).report.entries[0].result).toBe("same");
  expect((await place.countersign("log", "station")).stdout).toBe(before);
  const { report } = { report: JSON.parse((await place.countersign("status", "station", "--json")).stdout) };
  expect(report.servers[0].bound).toBe(0);
});

test("[import.incomplete] what could not be compared is never taken for the same", async ({ place }) => {
  const station = stationIn(place);
  const path = place.write("mcp-lock.json", lockOf(definitions.tools, all));
  const code = async (...words: readonly string[]) => (await place.countersign("import", ...words)).code;
  expect(await code(path)).toBe(4);
  await visit(station);
  expect(await code(path)).toBe(4); // no server of this ledger is called so
  station.offer(({ tools }) => tools.push({ name: "broken", inputSchema: 1 }));
  await visit(station);
  expect(await importing(place, path)).toMatchObject({
    code: 4,
    report: { entries: [{ result: "not-compared", code: "MALFORMED_TOOLS" }] },
  });
  expect(await code(place.write("empty.json", { specVersion: 1, entries: [] }))).toBe(4);
  expect(await code(path, "--server", "station=org.example/other")).toBe(3);
  expect(await code("no-such-file.json")).toBe(3);
});
