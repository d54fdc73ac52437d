import { parse, TomlError } from "smol-toml";

/**
 * Where the tables and the keys of a TOML document begin, by their path as JSON; its reader says what is in them, not where.
 * What stands within an inline table has no place of its own.
 */
export function tomlPlaces(text: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const lengths = new Map<string, number>();
  let table: readonly (string | number)[] = [];
  let within: '"""' | "'''" | undefined;
  let open = 0;
  for (const [line] of text.matchAll(/[^\n]*\n?/g)) {
    const start = open;
    open += line.length;
    if (within !== undefined) {
      if (line.includes(within)) within = undefined;
      continue;
    }
    const trimmed = line.trim();
    if (trimmed.startsWith("[")) {
      const path = pathOf(`${trimmed}\n`);
      if (path === undefined) continue;
      note(places, [], path, start);
      table = trimmed.startsWith("[[") ? [...path, next(lengths, path)] : path;
      note(places, [], table, start);
      continue;
    }
    const key = /^((?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_.\s-])+?)\s*=/.exec(trimmed)?.[1];
    const path = key === undefined ? undefined : pathOf(`${key} = 0`);
    if (path !== undefined) note(places, table, path, start);
    for (const mark of ['"""', "'''"] as const) if (trimmed.split(mark).length % 2 === 0) within = mark;
  }
  return places;
}

/** The index of the next table of an array. */
function next(lengths: Map<string, number>, path: readonly string[]): number {
  const key = JSON.stringify(path);
  const index = lengths.get(key) ?? 0;
  lengths.set(key, index + 1);
  return index;
}

/** Each table around it begins here too, unless it has begun before. */
function note(
  places: Map<string, number>,
  table: readonly (string | number)[],
  path: readonly (string | number)[],
  start: number,
): void {
  for (let length = 1; length <= path.length; length++) {
    const key = JSON.stringify([...table, ...path.slice(0, length)]);
    if (!places.has(key)) places.set(key, start);
  }
}

/** The reader itself takes the key apart: `a."b.c"` is two keys. */
function pathOf(line: string): readonly string[] | undefined {
  try {
    const path: string[] = [];
    let value: unknown = parse(line);
    while (typeof value === "object" && value !== null) {
      if (Array.isArray(value)) [value] = value;
      const [entry] = Object.entries(value as object);
      if (entry === undefined) break;
      path.push(entry[0]);
      value = entry[1];
    }
    return path;
  } catch (error) {
    if (error instanceof TomlError) return undefined;
    throw error;
  }
}
