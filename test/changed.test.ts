import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect } from "vitest";
import type { Definitions } from "./fixtures/both-eras-definitions.ts";
import { approve } from "./rig/approve.ts";
import { fixture, openPlace, type Place } from "./rig/place.ts";
import type { RawHost } from "./rig/raw-host.ts";
import { approveStation, stationIn, type View, viewOf } from "./rig/station.ts";
import { test } from "./rig/test.ts";

/** Stands in every text that a server comes back with. It must reach no host. */
const planted = "Planted by the server";

interface Change {
  readonly what: string;
  readonly alter: (definitions: Definitions) => void;
  /** What a host is shown, made from what it was shown before. */
  readonly leaves: (view: View) => View;
  /** A request that must be refused. */
  readonly refused?: Use;
}

type Use = readonly [method: string, params: Readonly<Record<string, unknown>>];

const forecast: Use = ["tools/call", { name: "forecast", arguments: { station: "abc" } }];
const calibrate: Use = ["tools/call", { name: "calibrate", arguments: { instrument: "barometer" } }];
const report: Use = ["prompts/get", { name: "report", arguments: { station: "abc" } }];

const changes: readonly Change[] = [
  {
    what: "the description of a nested property of a tool",
    alter: ({ tools }) =>
      member(tools[0], "inputSchema", "properties", "when", "properties", "day").set("description", planted),
    leaves: without("tools", "forecast"),
    refused: forecast,
  },
  {
    what: "a default in a tool's input schema",
    alter: ({ tools }) => member(tools[2], "inputSchema", "properties", "instrument").set("default", planted),
    leaves: without("tools", "calibrate"),
    refused: calibrate,
  },
  {
    what: "the title of a tool",
    alter: ({ tools }) => member(tools[0]).set("title", planted),
    leaves: without("tools", "forecast"),
    refused: forecast,
  },
  {
    what: "an annotation of a tool",
    alter: ({ tools }) => member(tools[2], "annotations").set("destructiveHint", false),
    leaves: without("tools", "calibrate"),
    refused: calibrate,
  },
  {
    what: "the output schema of a tool",
    alter: ({ tools }) => member(tools[0], "outputSchema", "properties", "celsius").set("description", planted),
    leaves: without("tools", "forecast"),
    refused: forecast,
  },
  {
    what: "the _meta of a tool",
    alter: ({ tools }) => member(tools[1], "_meta").set("example.org/group", planted),
    leaves: without("tools", "stations"),
    refused: ["tools/call", { name: "stations", arguments: {} }],
  },
  {
    what: "a key of a tool that no specification knows",
    alter: ({ tools }) => member(tools[1]).set("humanReadableDescription", planted),
    leaves: without("tools", "stations"),
    refused: ["tools/call", { name: "stations", arguments: {} }],
  },
  {
    what: "a tool that was not there before",
    alter: ({ tools }) => tools.push({ name: "extra", description: planted, inputSchema: { type: "object" } }),
    leaves: noticed,
    refused: ["tools/call", { name: "extra", arguments: {} }],
  },
  {
    what: "the description of a prompt's argument",
    alter: ({ prompts }) =>
      member(prompts[0]).set("arguments", [{ name: "station", description: planted, required: true }]),
    leaves: without("prompts", "report"),
    refused: report,
  },
  {
    what: "the description of a resource",
    alter: ({ resources }) => member(resources[0]).set("description", planted),
    leaves: without("resources", "abc"),
    refused: ["resources/read", { uri: "station://abc" }],
  },
  {
    what: "the description of a template",
    alter: ({ resourceTemplates }) => member(resourceTemplates[0]).set("description", planted),
    leaves: without("resourceTemplates", "history"),
    refused: ["resources/read", { uri: "history://abc/2026-07-28" }],
  },
  {
    what: "the instructions",
    alter: (all) => {
      all.instructions = planted;
    },
    leaves: (view) => noticed({ ...view, handshake: { ...view.handshake, instructions: "" } }),
  },
  {
    what: "its name and title, of which the approved ones stay",
    alter: (all) => {
      all.serverInfo = { name: "other", title: planted, version: "9" };
    },
    leaves: (view) => view,
  },
  {
    what: "its capabilities, of which the approved ones stay",
    alter: ({ capabilities }) => {
      capabilities["experimental"] = { "example.org/notes": { text: planted } };
    },
    leaves: (view) => view,
  },
  {
    what: "what stands beside a list, of which the approved text stays",
    alter: ({ beside }) => {
      beside["prompts/list"] = { _meta: { "example.org/edition": planted } };
    },
    leaves: (view) => view,
  },
  {
    what: "what stands beside a list that had nothing beside it",
    alter: ({ beside }) => {
      beside["tools/list"] = { note: planted };
    },
    leaves: (view) => view,
  },
];

describe("an approved server that comes back changed in one place", { concurrent: true }, () => {
  let approved: Place;
  let before: View;

  beforeAll(async () => {
    approved = openPlace();
    const station = stationIn(approved);
    station.offer(edition);
    await approveStation(approved, station);
    const host = station.host();
    // Not every list is asked for by a handshake, so what stands beside one is only now sighted.
    await viewOf(host);
    await host.end();
    const again = station.host();
    before = await viewOf(again);
    await again.end();
  });

  afterAll(() => approved.close());

  for (const { what, alter, leaves, refused } of changes) {
    test(`loses that and nothing else: ${what} [changed.place]`, async ({ place }) => {
      // A ledger of its own: so many changes of one server within an hour would be too many to review.
      cpSync(join(approved.folder, "state"), join(place.folder, "state"), { recursive: true });
      const station = stationIn(place);
      station.offer((all) => {
        edition(all);
        alter(all);
      });
      const host = station.host();
      const view = await viewOf(host);
      expect(view).toEqual(leaves(before));
      if (refused !== undefined) {
        const { error } = await host.ask(...refused);
        expect(error?.data).toEqual({
          reason: what.startsWith("a tool that was not there") ? "NO_BASELINE" : "DESCRIPTION_MUTATION",
          review: expect.stringMatching(/^cs-[0-9a-f]{12}$/),
          // What the host itself has asked for: so the revision of 2026-07-28 has it of a resource that is not there.
          ...(refused[0] === "resources/read" ? refused[1] : {}),
        });
      }
      await usesTheRest(host, refused);
      for (const line of host.lines) expect(line).not.toContain(planted);
      await host.end();
    });
  }
});

/** What the first edition of the server said beside its list of prompts. */
function edition({ beside }: Definitions): void {
  beside["prompts/list"] = { _meta: { "example.org/edition": "first" } };
}

async function usesTheRest(host: RawHost, refused: Use | undefined): Promise<void> {
  for (const use of [forecast, calibrate, report]) {
    if (use !== refused) expect((await host.ask(...use)).error).toBeUndefined();
  }
}

describe("an approved server that comes back spelled otherwise", { concurrent: true }, () => {
  /** One list, in three spellings of the same value. The first is approved. */
  const spellings = [
    '{"tools":[{"name":"weigh","title":"Caf\\u00e9","inputSchema":{"type":"object","properties":{"grams":{"type":"number","maximum":1000,"description":"How much"}},"additionalProperties":false}}]}',
    '{ "tools" : [ {"inputSchema":{"additionalProperties":false,"properties":{"grams":{"description":"How much","maximum":1e3,"type":"number"}},"type":"object"},\t"title":"Café","name":"weigh"} ] }',
    '{"tools":[{"name":"\\u0077eigh","title":"Caf\\u00E9","inputSchema":{"type":"object","properties":{"grams":{"type":"number","maximum":1000.0,"description":"How\\u0020much"}},"additionalProperties":false}}]}',
  ] as const;

  test("has not drifted, and is served in the approved spelling [respelled.no-drift] [respelled.approved-text]", async ({
    place,
  }) => {
    const hosts: RawHost[] = [];
    for (const [index, spelling] of spellings.entries()) {
      // One name for all: a server is told apart by its command line.
      const script = place.write("spelling.json", {
        on: {
          initialize: [
            '{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"scales","version":"1"}}}',
          ],
          "tools/list": [`{"jsonrpc":"2.0","id":$ID,"result":${spelling}}`],
          "tools/call": ['{"jsonrpc":"2.0","id":$ID,"result":{"content":[]}}'],
        },
      });
      const host = place.host(place.guarded("scales", fixture("raw-server.ts", script)));
      await host.initialize();
      if (index === 0) await approve(place, "scales");
      await host.ask("tools/list");
      const { result, error } = await host.ask("tools/call", { name: "weigh", arguments: { grams: 5 } });
      expect({ result, error }).toEqual({ result: { content: [] }, error: undefined });
      hosts.push(host);
    }
    for (const host of hosts) {
      expect(host.lines[1]).toBe(`{"jsonrpc":"2.0","id":2,"result":${spellings[0]}}`);
    }
    for (const host of hosts.slice(1)) expect(host.stderr).not.toContain("withholds");
    expect((await place.countersign("status", "scales")).code).toBe(0);
  });
});

/** One member of a definition, whatever it is. */
function member(definition: unknown, ...path: readonly string[]) {
  let at = definition as Record<string, unknown>;
  for (const key of path) at = at[key] as Record<string, unknown>;
  return {
    set(key: string, value: unknown): void {
      at[key] = value;
    },
  };
}

/** The same view, but for one definition, and with the notice of it. */
function without(list: "tools" | "prompts" | "resources" | "resourceTemplates", name: string): Change["leaves"] {
  const member = list === "resourceTemplates" ? "templates" : list;
  return (view) =>
    noticed({
      ...view,
      [member]: { ...view[member], [list]: view[member]?.[list]?.filter((one) => one.name !== name) },
    });
}

function noticed(view: View): View {
  const notice = "1 definition of station is withheld; ask the user to review it in Countersign.";
  const spoken = view.handshake?.instructions;
  return { ...view, handshake: { ...view.handshake, instructions: spoken ? `${spoken}\n\n${notice}` : notice } };
}
