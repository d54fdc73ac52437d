import { asServerName } from "@countersign/core";
import { descriptionRules } from "@countersign/judge";
import { describe, expect, test } from "vitest";
import type { Capture } from "./capture.ts";
import { type PlantOptions, plant } from "./plant.ts";
import type { Unlocated } from "./plant-report.ts";
import { plantApart } from "./prove-apart.ts";
import { type Searcher, type Sighting, searchByGates } from "./search.ts";

const server = asServerName("notes") ?? expect.fail("no name of a server");

const readNotes = `{"name":"read_notes","description":"Reads the notes of a day.","inputSchema":{"type":"object",
  "properties":{"day":{"type":"string","description":"Caf\u00e9 or a date","enum":["today","1"]},"most":{"default":10}},
  "required":["day"]},"annotations":{"readOnlyHint":true},"_meta":{"x":null,"y":[],"z":{}}}`;
const addNote = `{"name":"add_note","title":"Add","description":"Adds a note.","inputSchema":{"type":"object","$comment":"c"}}`;
/** More carriers than are planted together, and more than a gate names findings of one rule. */
const wide = `{"name":"wide","inputSchema":{"type":"object","properties":{${Array.from({ length: 200 }, (_, index) => `"p${index}":{"type":"string"}`)}}}}`;

const tools: Capture = { server, source: "tools/list", pages: [`{"tools":[${readNotes},${addNote}],"ttlMs":0}`] };

const offers: readonly Capture[] = [
  tools,
  { server, source: "tools/list", pages: [`{"tools":[${addNote}],"x-more":[1]}`, `{"tools":[]}`] },
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
    source: "prompts/list",
    pages: [`{"prompts":[{"name":"daily","arguments":[{"name":"day","required":true},{"name":"tone"}]}]}`],
  },
  { server, source: "resources/list", pages: [`{"resources":[{"uri":"note://1","name":"1","size":1.5}]}`] },
  {
    server,
    source: "resources/templates/list",
    pages: [`{"resourceTemplates":[{"uriTemplate":"note://{id}","name":"n"}]}`],
  },
];

describe("plant() before the gates", () => {
  const report = plant(offers, { all: true });

  test("finds each payload located in its carrier, or its place refused [prove.plant]", () => {
    expect(report).toMatchObject({ definitions: 9, missed: [], withheld: [] });
    expect(report.located + report.refused).toBe(report.planted);
    // Every payload in every carrier, and one of each round alone.
    const rounds = report.alone / report.definitions;
    expect(report.planted).toBe(report.carriers * rounds + report.alone);
    // A hint, whether an argument is required, a size, and whether a list tells of its changes.
    expect(Math.floor(report.refused / rounds)).toBe(4);
    expect(Object.keys(report.counts.way)).toEqual(["before", "behind", "inside", "instead", "joined"]);
    expect(Object.keys(report.counts.role)).toEqual(["contract", "hint", "identity", "opaque", "prose"]);
  });

  test("plants what the rules of the description gate are there for", () => {
    const families = Object.keys(report.counts.family);
    expect(families.length).toBeGreaterThanOrEqual(12);
    expect(descriptionRules.map(({ id }) => id)).toEqual(expect.arrayContaining(families));
  });

  test("finds each payload of a definition with more carriers than a gate names findings of a rule", () => {
    const offer: Capture = { ...tools, pages: [`{"tools":[${wide}]}`] };
    expect(plant([offer])).toMatchObject({ carriers: 606, missed: [] });
  });

  test("plants once in every carrier unless it is told to plant all, and the same for the same seed", async () => {
    const report = plant(offers, { seed: 7 });
    expect(report.planted).toBe(report.carriers + report.definitions);
    expect(plant(offers, { seed: 7 })).toEqual(report);
    expect(plant(offers, { seed: 8 })).not.toEqual(report);
    expect(await plantApart(offers, { seed: 7 })).toEqual(report);
  });

  test("takes a place that holds no text for refused, where the definition is malformed there", () => {
    const { refused, counts } = plant([tools]);
    expect(refused).toBe(1);
    expect(counts.role["hint"]).toEqual({ planted: 1, located: 0, refused: 1 });
  });

  test("lists what is malformed as it is, and proves nothing of it", () => {
    const twice: Capture = { ...tools, pages: [`{"tools":[${addNote},${addNote},${readNotes}]}`] };
    const noJson: Capture = { ...tools, source: "prompts/list", pages: [`{"prompts":[],"prompts":[]}`] };
    const row = { server: "notes", source: "tools/list", kind: "tool", name: "add_note", codes: ["MALFORMED"] };
    const { definitions, withheld } = plant([twice, noJson]);
    expect(definitions).toBe(1);
    expect(withheld).toEqual([
      row,
      row,
      { server: "notes", source: "prompts/list", kind: "server", name: "prompts/list", codes: ["DUPLICATE_KEY"] },
    ]);
  });
});

describe("plant() before gates that are blind", () => {
  test("shows every other carrier, where only descriptions are read", () => {
    const missed = missedBy(({ at, part }) => part === "leaf" && /(?:^|\/)description$/.test(at));
    const leaves = missed.filter(({ name, part }) => name === "read_notes" && part === "leaf");
    expect(pointersOf(leaves)).toEqual([
      "/name",
      "/inputSchema/type",
      "/inputSchema/properties/day/type",
      "/inputSchema/properties/day/enum/0",
      "/inputSchema/properties/day/enum/1",
      "/inputSchema/properties/most/default",
      "/inputSchema/required/0",
      "/_meta/x",
      "/_meta/y",
      "/_meta/z",
    ]);
  });

  test("shows exactly the keys where keys are not read", () => {
    const missed = missedBy(({ part }) => part === "leaf");
    const keys = missed.filter(({ name, part }) => name === "add_note" && part === "key");
    expect(pointersOf(keys)).toEqual([
      "/name",
      "/title",
      "/description",
      "/inputSchema",
      "/inputSchema/type",
      "/inputSchema/$comment",
    ]);
    // An object that was empty holds it as a key.
    expect(pointersOf(missed.filter(({ part }) => part === "leaf"))).toEqual(["/_meta/z"]);
  });

  test("shows what is found somewhere else, and what is only noted, and says where", () => {
    const elsewhere = missedFrom((one) => ({ ...one, at: "/name", part: "leaf", span: { start: 0, end: 1 } }));
    const { carriers } = plant([tools]);
    expect(elsewhere.length).toBeGreaterThan(carriers / 2);
    for (const { happened, detail } of elsewhere) {
      expect(happened).toBe("UNSEEN");
      expect(detail).toContainEqual(expect.stringMatching(/at leaf \/name$/));
    }
    const noted = missedFrom((one) => ({ ...one, effect: "note" }));
    expect(noted.length).toBeGreaterThan(carriers - 5);
    expect(noted[0]?.detail).toContainEqual(expect.stringMatching(/^[a-z-]+ \(note\) at /));
  });

  test("shows what is found in the right carrier, and beside the payload", () => {
    const missed = missedFrom(({ span: _, ...one }) => one);
    expect(missed.length).toBeGreaterThan(20);
  });

  test("shows a family that no rule is there for", () => {
    const missed = missedBy(({ rule }) => rule !== "bidi-control", { all: true });
    expect(new Set(missed.map(({ family }) => family))).toEqual(new Set(["bidi-control"]));
    expect(missed[0]).toMatchObject({ server: "notes", source: "tools/list", kind: "tool", name: "read_notes" });
  });

  test("shows a gate that names no more than one place of each rule", () => {
    const once: Searcher = searching((sightings) => [...new Map(sightings.map((one) => [one.rule, one])).values()]);
    const { missed } = plant([tools], { search: once });
    expect(missed.map(({ happened }) => happened)).toContain("UNSEEN_IN_COMPANY");
    expect(missed.filter(({ alone }) => alone)).toEqual([]);
  });

  test("shows a gate that is only awake when much is wrong", () => {
    const sleepy: Searcher = searching((sightings) => (sightings.length < 3 ? [] : sightings));
    const { missed } = plant([tools], { search: sleepy });
    expect(missed).not.toEqual([]);
    expect(missed.every(({ alone, happened }) => alone && happened === "UNSEEN")).toBe(true);
  });

  test("shows a definition that is not judged, or refused for something else", () => {
    const silent: Searcher = () => () => ({ is: "refused", code: "LOST" });
    const other: Searcher = () => () => ({ is: "malformed", places: [] });
    for (const [search, detail] of [
      [silent, ["LOST"]],
      [other, []],
    ] as const) {
      const { planted, missed } = plant([tools], { search });
      expect(missed).toHaveLength(planted);
      expect(missed[0]).toMatchObject({ happened: "NOT_JUDGED", detail });
    }
  });
});

/** The gates, with something put wrong in what they see. */
function searching(wrong: (sightings: readonly Sighting[]) => readonly Sighting[]): Searcher {
  return (offer) => {
    const search = searchByGates(offer);
    return (copy) => {
      const searched = search(copy);
      return searched.is === "judged" ? { ...searched, sightings: wrong(searched.sightings) } : searched;
    };
  };
}

function missedBy(sees: (sighting: Sighting) => boolean, options: PlantOptions = {}): readonly Unlocated[] {
  return plant([tools], { ...options, search: searching((sightings) => sightings.filter(sees)) }).missed;
}

function missedFrom(wrong: (sighting: Sighting) => Sighting): readonly Unlocated[] {
  return plant([tools], { search: searching((sightings) => sightings.map(wrong)) }).missed;
}

function pointersOf(missed: readonly Unlocated[]): readonly string[] {
  const order = missed.filter(({ alone }) => !alone);
  return [...new Set(order.map(({ pointer }) => pointer))];
}
