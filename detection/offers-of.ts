import type { Attack, Benign, Tool } from "./corpus.ts";

/** Tools that one server offers together: no name is there twice. */
export function offersOf<T extends { readonly tool: Tool }>(rows: readonly T[]): readonly (readonly T[])[] {
  const offers: { readonly names: Set<string>; readonly rows: T[] }[] = [];
  for (const row of rows) {
    let offer = offers.find(({ names }) => !names.has(row.tool.name));
    if (offer === undefined) {
      offer = { names: new Set(), rows: [] };
      offers.push(offer);
    }
    offer.names.add(row.tool.name);
    offer.rows.push(row);
  }
  return offers.map((offer) => offer.rows);
}

/** The other tools of an attack's server, where the corpus has that server in a clean form from the same place. */
export function companionsOf(
  { source, server, tool }: Attack,
  benign: ReadonlyMap<string, readonly Benign[]>,
): readonly Tool[] {
  const beside = (benign.get(server) ?? []).filter((row) => placeOf(row.source) === placeOf(source));
  const [offer = []] = offersOf(beside);
  return offer.map((row) => row.tool).filter(({ name }) => name !== tool.name);
}

/** Where a row was found, without the version and the file: `owner/repository`, or the name of a package. */
export function placeOf(source: string): string {
  return source.replace(/(?<=.)@.*$/s, "");
}

/**
 * The tool without its payload. Undefined where the payload does not stand in it as one piece and no clean tool of that
 * name is known.
 */
export function twinOf(
  { source, server, tool, payload }: Attack,
  benign: ReadonlyMap<string, readonly Benign[]>,
): Tool | undefined {
  let removed = false;
  const without = (value: unknown): unknown => {
    if (typeof value === "string") {
      const found = payload === "" ? -1 : value.indexOf(payload);
      if (found === -1) return value;
      removed = true;
      return `${value.slice(0, found)}${value.slice(found + payload.length)}`.trim();
    }
    if (Array.isArray(value)) return value.map(without);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, without(inner)]));
  };
  const twin = without(tool) as Tool;
  if (removed) return twin;
  const clean = (benign.get(server) ?? []).find(
    (row) => placeOf(row.source) === placeOf(source) && row.tool.name === tool.name,
  );
  return clean?.tool;
}
