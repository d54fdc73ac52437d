import { asServerName, readJson } from "@countersign/core";
import { describe, expect, test } from "vitest";
import type { Capture } from "./capture.ts";
import { boundIn, keyOf } from "./complaint.ts";
import { pipelineUnder } from "./pipeline.ts";
import { prove } from "./prove.ts";
import { proveApart } from "./prove-apart.ts";
import type { Missed } from "./report.ts";
import type { Judged, Subject } from "./subject.ts";

const server = asServerName("notes") ?? expect.fail("no name of a server");

const readNotes = `{"name":"read_notes","description":"Reads the notes of a day.","inputSchema":{"type":"object",
  "properties":{"day":{"type":"string","description":"Caf\u00e9 or a date","enum":["today","1"]},"most":{"default":10}},
  "required":["day"]},"annotations":{"readOnlyHint":true},"_meta":{"x":null,"y":[],"z":{}}}`;
const addNote = `{"name":"add_note","description":"Adds a note.","inputSchema":{"type":"object"}}`;

const tools: Capture = { server, source: "tools/list", pages: [`{"tools":[${readNotes},${addNote}],"ttlMs":0}`] };

/** One offer of every source, and a list of two pages with something beside it. */
const offers: readonly Capture[] = [
  tools,
  {
    server,
    source: "initialize",
    pages: [
      `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},
        "serverInfo":{"name":"notes","version":"1.0"},"instructions":"Read before you write.","x-more":[1,2]}`,
    ],
  },
  {
    server,
    source: "server/discover",
    pages: [
      `{"supportedVersions":["2026-07-28"],"capabilities":{},"resultType":"complete","ttlMs":5,"cacheScope":"private",
        "_meta":{"io.modelcontextprotocol/serverInfo":{"name":"notes","version":"1.0"}}}`,
    ],
  },
  {
    server,
    source: "prompts/list",
    pages: [
      `{"prompts":[{"name":"daily","arguments":[{"name":"day","required":true},{"name":"tone"}]}],"nextCursor":"2",
        "_meta":{"detected":["a","b"]}}`,
      `{"prompts":[{"name":"weekly","title":"Weekly"}]}`,
    ],
  },
  { server, source: "resources/list", pages: [`{"resources":[{"uri":"note://1","name":"1","size":1.5}]}`] },
  {
    server,
    source: "resources/templates/list",
    pages: [`{"resourceTemplates":[{"uriTemplate":"note://{id}","name":"n"}]}`],
  },
];

describe("prove() of the gates", () => {
  test("finds every change of every carrier refused at its place, and no respelling", () => {
    const report = prove(offers, { all: true });
    expect(report).toMatchObject({ definitions: 10, carriers: 86, missed: [], falseDrift: [], withheld: [] });
    expect(report.caught).toBe(report.mutations);
    expect(Object.keys(report.spread)).toEqual([
      "add-beside",
      "change",
      "delete",
      "duplicate-key",
      "invisible",
      "normalise",
      "odd-field",
      "rename-key",
      "retype",
      "swap",
      "twin-field",
    ]);
  });

  test("moves every carrier once, each mutation about equally often, unless it is told to do all", () => {
    const { carriers, mutations, spread } = prove(offers);
    expect(carriers).toBe(86);
    expect(mutations - (spread["odd-field"] ?? 0) - (spread["twin-field"] ?? 0)).toBe(86);
    for (const name of ["add-beside", "change", "delete", "duplicate-key", "invisible", "rename-key", "retype"])
      expect(spread[name], name).toBeGreaterThan(4);
    expect(spread["swap"]).toBeGreaterThan(0);
  });

  test("gives the same report for the same seed", () => {
    expect(prove(offers, { seed: 7 })).toEqual(prove(offers, { seed: 7 }));
  });

  test("lists what is withheld unchanged, and proves nothing of it", () => {
    const twice: Capture = { ...tools, pages: [`{"tools":[${addNote},${addNote},${readNotes}]}`] };
    const noJson: Capture = { ...tools, source: "prompts/list", pages: [`{"prompts":[],"prompts":[]}`] };
    const row = { server: "notes", source: "tools/list", kind: "tool", name: "add_note", codes: ["MALFORMED"] };
    const { definitions, withheld } = prove([twice, noJson]);
    expect(definitions).toBe(1);
    expect(withheld).toEqual([
      row,
      row,
      { server: "notes", source: "prompts/list", kind: "server", name: "prompts/list", codes: ["DUPLICATE_KEY"] },
    ]);
  });
});

describe("prove() under a plan", () => {
  test.each(["frozen", "stripped"] as const)(
    "%s: what can change without drift is exactly what the model does not read [plan.proved]",
    (prose) => {
      const report = prove(offers, { all: true, prose });
      expect(report).toMatchObject({ definitions: 10, carriers: 86, missed: [], falseDrift: [], withheld: [] });
      expect(report.caught).toBe(report.mutations);
      expect(report.unread).toBeGreaterThan(prose === "frozen" ? 15 : 40);
    },
  );

  test("finds a gate that lets through what the plan masks", () => {
    const leaks: Subject = (approved) => {
      const look = pipelineUnder("frozen")(approved);
      return (seen) => {
        const now = look(seen);
        if (now.is === "refused") return now;
        const sent = new Map(boundIn(pipelineUnder("as-sent")(seen)(seen)));
        return {
          ...now,
          definitions: now.definitions.map((one) => (one.bound ? { ...one, served: sent.get(keyOf(one)) ?? "" } : one)),
        };
      };
    };
    const { missed } = prove([tools], { subject: leaks, all: true, prose: "frozen" });
    expect(missed.map(({ happened }) => happened)).toContain("SERVED_OTHERWISE");
  });

  test("finds a gate that refuses what the model does not read, and one that serves another text than the plan's", () => {
    const { missed, falseDrift } = prove([tools], { subject: pipelineUnder("as-sent"), all: true, prose: "stripped" });
    expect(missed.map(({ happened }) => happened)).toContain("REFUSED_UNREAD");
    expect(falseDrift.map(({ happened }) => happened)).toContain("SERVED_OTHERWISE");
  });

  test("finds a gate that keeps bound what the model would read otherwise", () => {
    const { missed } = prove([tools], { subject: pipelineUnder("stripped"), all: true, prose: "frozen" });
    expect(new Set(missed.map(({ happened }) => happened))).toContain("BOUND");
  });
});

describe("proveApart()", () => {
  test("reports what prove() reports", async () => {
    expect(await proveApart(offers, { seed: 3 })).toEqual(prove(offers, { seed: 3 }));
  });
});

describe("prove() of gates that are blind", () => {
  test("shows that an allowlist of description hashes misses every other carrier", () => {
    const { missed, falseDrift } = prove([tools], { subject: allowlist((tool) => tool["description"]), all: true });
    expect(falseDrift).toEqual([]);
    const leaves = missed.filter(({ name, part }) => name === "read_notes" && part === "leaf");
    expect(pointersOf(leaves)).toEqual([
      "/inputSchema/type",
      "/inputSchema/properties/day/type",
      "/inputSchema/properties/day/description",
      "/inputSchema/properties/day/enum/0",
      "/inputSchema/properties/day/enum/1",
      "/inputSchema/properties/most/default",
      "/inputSchema/required/0",
      "/annotations/readOnlyHint",
      "/_meta/x",
      "/_meta/y",
      "/_meta/z",
    ]);
    expect(missed).toContainEqual({
      server: "notes",
      source: "tools/list",
      kind: "tool",
      name: "read_notes",
      pointer: "/inputSchema/properties/day/description",
      part: "leaf",
      mutation: "invisible",
      happened: "BOUND",
      detail: [],
    });
  });

  test("shows exactly the schema where everything but the schema is pinned", () => {
    const subject = allowlist(({ inputSchema: _, ...rest }) => rest);
    const { missed } = prove([tools], { subject, all: true });
    expect(pointersOf(missed.filter(({ name }) => name === "read_notes"))).toEqual([
      "/inputSchema",
      "/inputSchema/type",
      "/inputSchema/properties",
      "/inputSchema/properties/day",
      "/inputSchema/properties/day/type",
      "/inputSchema/properties/day/description",
      "/inputSchema/properties/day/enum",
      "/inputSchema/properties/day/enum/0",
      "/inputSchema/properties/day/enum/1",
      "/inputSchema/properties/most",
      "/inputSchema/properties/most/default",
      "/inputSchema/required",
      "/inputSchema/required/0",
    ]);
    expect(pointersOf(missed.filter(({ name }) => name === "add_note"))).toEqual(["/inputSchema", "/inputSchema/type"]);
  });

  test("shows what stands beside the list, where only the list is looked at", () => {
    const subject = allowlist((tool) => tool);
    const { missed } = prove([tools], { subject });
    expect(missed.map(({ kind, pointer, happened }) => [kind, pointer, happened])).toEqual([
      ["server", "/nextCursor", "LOST"],
      ["server", "/ttlMs", "LOST"],
      ["server", "/cacheScope", "LOST"],
      ["server", "/resultType", "LOST"],
      ["server", "/protocolVersion", "LOST"],
      ["server", "/supportedVersions", "LOST"],
      ["server", "/x-added", "LOST"],
      ["server", "/_meta", "LOST"],
      ["server", "/Tools", "LOST"],
    ]);
  });

  test("shows a duplicate key that a reader overlooks", () => {
    const subject = allowlist((tool) => tool, { refusesDuplicates: false });
    const { missed } = prove([tools], { subject, all: true });
    const mutations = new Set(missed.filter(({ kind }) => kind === "tool").map(({ mutation }) => mutation));
    expect([...mutations]).toEqual(["duplicate-key"]);
  });

  test("shows a change of spelling where keys are hashed in the order they came in", () => {
    const { falseDrift } = prove([tools], { subject: allowlist((tool) => tool, { sorts: false }) });
    expect(falseDrift.map(({ name, spelling, happened }) => [name, spelling, happened])).toEqual([
      ["read_notes", "key-order", "REFUSED"],
      ["read_notes", "all", "REFUSED"],
      ["add_note", "key-order", "REFUSED"],
      ["add_note", "all", "REFUSED"],
    ]);
  });

  test("shows where the server's text is served instead of the approved one", () => {
    const subject: Subject = (approved) => (seen) => {
      const { pages } = seen;
      const now = pipelineUnder("as-sent")(approved)(seen);
      if (now.is === "refused") return now;
      return {
        is: "judged",
        definitions: now.definitions.map((one) => (one.bound ? { ...one, served: pages.join() } : one)),
      };
    };
    const { falseDrift } = prove([tools], { subject });
    expect(new Set(falseDrift.map(({ happened }) => happened))).toContain("SERVED_OTHERWISE");
  });

  test("shows a refusal that is said to be for something else", () => {
    const subject = corrected((one) => (one.bound ? one : { ...one, places: ["/title"] }));
    const { missed } = prove([tools], { subject });
    expect(missed.length).toBeGreaterThan(25);
    expect(new Set(missed.map(({ happened, detail }) => `${happened} ${detail}`))).toEqual(
      new Set(["ELSEWHERE /title"]),
    );
  });

  test("shows a refusal that takes the unchanged with it", () => {
    const subject: Subject = (approved) => (seen) => {
      const now = pipelineUnder("as-sent")(approved)(seen);
      if (now.is === "refused" || now.definitions.every(({ bound }) => bound)) return now;
      return {
        is: "judged",
        definitions: now.definitions.map((one) => ({ ...one, bound: false, codes: [], places: [""] })),
      };
    };
    const { missed } = prove([tools], { subject });
    expect(new Set(missed.map(({ happened }) => happened))).toEqual(new Set(["OTHERS_REFUSED"]));
  });

  test("shows a definition that vanishes without a word, and one that nobody approved", () => {
    const silent: Subject = (approved) => (seen) => {
      const now = pipelineUnder("as-sent")(approved)(seen);
      return now.is === "refused" ? now : { is: "judged", definitions: now.definitions.filter(({ bound }) => bound) };
    };
    expect(new Set(prove([tools], { subject: silent }).missed.map(({ happened }) => happened))).toEqual(
      new Set(["LOST"]),
    );

    const open = corrected((one) =>
      one.bound || !one.codes.includes("NO_BASELINE") ? one : { ...one, bound: true, served: "" },
    );
    const { missed } = prove([tools], { subject: open, all: true });
    expect(
      missed.find(({ pointer, part, mutation }) => `${pointer} ${part} ${mutation}` === "/name leaf change"),
    ).toMatchObject({
      happened: "STRANGER_BOUND",
    });
  });
});

interface Tool extends Readonly<Record<string, unknown>> {
  readonly name: string;
}

/** Remembers what `pinned` takes of a tool, as most allowlists do, and binds every tool that still has it. */
function allowlist(
  pinned: (tool: Tool) => unknown,
  { refusesDuplicates = true, sorts = true }: { refusesDuplicates?: boolean; sorts?: boolean } = {},
): Subject {
  const pin = (tool: Tool) => JSON.stringify(pinned(tool), sorts ? sorted : undefined);
  return (approved) => {
    const pins = new Map(toolsOf(approved).map((tool) => [tool.name, tool]));
    return (seen) => {
      const twice = refusesDuplicates && seen.pages.some((page) => readJson(page).is === "refused");
      if (twice) return { is: "refused", code: "DUPLICATE_KEY" };
      const definitions = toolsOf(seen).map((tool): Judged => {
        const was = pins.get(tool.name);
        return was !== undefined && pin(was) === pin(tool)
          ? { kind: "tool", name: tool.name, bound: true, served: JSON.stringify(was) }
          : { kind: "tool", name: String(tool.name ?? ""), bound: false, codes: ["CHANGED"], places: [""] };
      });
      return { is: "judged", definitions };
    };
  };
}

function toolsOf({ pages }: Capture): readonly Tool[] {
  return pages.flatMap((page) => JSON.parse(page).tools as Tool[]);
}

function sorted(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The gates, with something put wrong in what they say of one definition. */
function corrected(wrong: (one: Judged) => Judged): Subject {
  return (approved) => {
    const look = pipelineUnder("as-sent")(approved);
    return (seen) => {
      const now = look(seen);
      return now.is === "refused" ? now : { is: "judged", definitions: now.definitions.map(wrong) };
    };
  };
}

function pointersOf(missed: readonly Missed[]): readonly string[] {
  return [...new Set(missed.map(({ pointer }) => pointer))];
}
