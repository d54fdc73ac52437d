import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { requirements } from "../test/requirements.ts";
import { surface } from "../test/surface.ts";
import { coverageTable } from "./check-coverage.ts";
import { coverageOf } from "./coverage.ts";

const carried = surface.filter((row) => row.is === "carried");

/** The places of these rows that another text does not unbind, or at which an order is not found. */
function gapsOf(requirement: string): readonly string[] {
  const rows = carried.filter(({ shownBy }) => shownBy.includes(requirement));
  expect(rows.length).toBeGreaterThan(5);
  return rows.flatMap((row) => {
    const { pinned, judged } = coverageOf(row);
    // A place that holds only values of its own must be one of which the row says so.
    const holds = row.values === undefined ? judged === true : judged === "own-values";
    return pinned && holds ? [] : [`${row.request} ${row.path}: pinned ${pinned}, judged ${judged}`];
  });
}

describe("every place at which a server can say something is pinned and judged", () => {
  test("in a handshake [surface.handshake]", () => expect(gapsOf("surface.handshake")).toEqual([]));
  test("in a tool [surface.tools]", () => expect(gapsOf("surface.tools")).toEqual([]));
  test("in its schemas [surface.schemas]", () => expect(gapsOf("surface.schemas")).toEqual([]));
  test("in a prompt [surface.prompts]", () => expect(gapsOf("surface.prompts")).toEqual([]));
  test("in a resource and a template [surface.resources]", () => expect(gapsOf("surface.resources")).toEqual([]));
  test("beside a list [surface.beside]", () => expect(gapsOf("surface.beside")).toEqual([]));
  test("behind a handle [surface.bodies]", () => expect(gapsOf("surface.bodies")).toEqual([]));
});

describe("the table of all places [surface.table]", () => {
  test("is what docs/coverage.md holds", () => {
    expect(readFileSync(join(import.meta.dirname, "../docs/coverage.md"), "utf8")).toBe(coverageTable(surface));
  });

  test("names requirements that there are, in every row", () => {
    const known = new Set(requirements.map(({ id }) => id));
    const wrong = surface.filter(({ shownBy }) => shownBy.length === 0 || shownBy.some((id) => !known.has(id)));
    expect(wrong.map(({ request, path }) => `${request} ${path}`)).toEqual([]);
  });

  test("has no place twice", () => {
    const places = surface.map(({ request, path }) => `${request} ${path}`);
    expect(places.filter((one, index) => places.indexOf(one) !== index)).toEqual([]);
  });

  test("would say so of a place that is not pinned, and of one that is not judged", () => {
    const row = { is: "carried", path: "ttlMs", reader: "wire", shownBy: [] } as const;
    const field = { ...row, request: "tools/list", at: ["/ttlMs"], values: [1, 2] } as const;
    expect(coverageOf(field)).toMatchObject({ pinned: false, settable: false });
    const number = { ...row, request: "tools/list", at: ["/tools/0/_meta/count"], values: [1, 2] } as const;
    expect(coverageOf(number)).toMatchObject({ pinned: true, judged: true, stripped: true, settable: true });
    const repeated = {
      ...row,
      request: "tools/list",
      at: ["/_meta/io.modelcontextprotocol~1serverInfo/name"],
    } as const;
    expect(coverageOf(repeated)).toMatchObject({ pinned: false, judged: false });
    const empty = {
      ...row,
      request: "initialize",
      at: ["/protocolVersion"],
      values: ["2025-11-25", "2025-06-18"],
    } as const;
    expect(coverageOf(empty)).toMatchObject({ pinned: false });
  });
});
