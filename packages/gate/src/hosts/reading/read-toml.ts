import type { Json, Member } from "@countersign/core";
import { parse, TomlDate, TomlError, type TomlValue } from "smol-toml";
import { type Document, readBounded } from "./document.ts";
import { tomlPlaces } from "./toml-places.ts";

export function readToml(text: string): Document {
  return readBounded(() => {
    try {
      const table = parse(text, { integersAsBigInt: "asNeeded" });
      return { root: jsonOf(table, [], 0, tomlPlaces(text)), faults: [] };
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      const at = offsetOf(text, error.line, error.column);
      const detail = error.message.split("\n")[0] ?? "";
      return {
        root: undefined,
        faults: [{ code: "SYNTAX", at, detail: detail.replace(/^Invalid TOML document: /, "") }],
      };
    }
  });
}

/** @param above where what is around it begins, for a value whose own place is not known */
function jsonOf(
  value: TomlValue,
  at: readonly (string | number)[],
  above: number,
  places: ReadonlyMap<string, number>,
): Json {
  const start = places.get(JSON.stringify(at)) ?? above;
  const place = { start, end: start };
  if (Array.isArray(value))
    return { is: "array", ...place, items: value.map((item, index) => jsonOf(item, [...at, index], start, places)) };
  if (value instanceof TomlDate) return { is: "string", ...place, value: value.toISOString() };
  switch (typeof value) {
    case "string":
      return { is: "string", ...place, value };
    case "boolean":
      return { is: "boolean", ...place, value };
    case "number":
    case "bigint":
      return { is: "number", ...place, token: String(value) };
    case "object": {
      const members = Object.entries(value).map(([key, one]): Member => {
        const member = jsonOf(one, [...at, key], start, places);
        return { key, start: member.start, value: member };
      });
      return { is: "object", ...place, members };
    }
    case "function":
    case "symbol":
    case "undefined":
      throw new RangeError(`TOML has no ${typeof value}`);
  }
}

function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let passed = 1; passed < line; passed++) {
    const next = text.indexOf("\n", start);
    if (next === -1) break;
    start = next + 1;
  }
  return start + column - 1;
}
