import { type Carrier, canonicalize, type Pointer, type RawDefinition, surfaceOf, textOf } from "@countersign/core";
import { launchRows } from "./launch-rows.ts";
import { headingRows, labelledRows, type Row } from "./rows.ts";
import { isSchemaWord } from "./schema-words.ts";
import { isShownWhole, shownName, type View } from "./view.ts";

/**
 * Everything of a definition that the model would read as text, with what hides in it made visible: prose by its place,
 * the names that each object holds, then all other values once each. Only JSON Schema's own words, `true`, `false` and
 * `null` are left out.
 */
export function contentRows(definition: Pick<RawDefinition, "address" | "json">, view: View): readonly Row[] {
  const { address, json } = definition;
  if (address.kind === "launch") return launchRows(definition, view);
  const name = shownName(address.name, view);
  const what = `${address.kind} ${name}`;
  const rows: Row[] = [...headingRows(what, name, view)];
  if (!view.text) return rows;
  const at = (place: string) => (place === "" ? what : `${place} of ${what}`);
  const say = (place: string, text: string, lines: boolean) => {
    rows.push(...labelledRows(text, { label: place, indent: 2, at: at(place), lines }, view));
  };
  const names = new Map<Pointer, string[]>();
  const values = new Set<string>();
  for (const carrier of surfaceOf(address, json).carriers) {
    const shown = shownPlace(carrier.at, view);
    switch (placeFor(carrier, address.name)) {
      case "own rows":
        say(shown, textOf(carrier) ?? canonicalOf(carrier), textOf(carrier) !== undefined);
        break;
      case "names": {
        const parent = carrier.at.slice(0, carrier.at.lastIndexOf("/")) as Pointer;
        const beside = names.get(parent);
        const key = textOf(carrier) ?? "";
        if (beside === undefined) names.set(parent, [key]);
        else beside.push(key);
        break;
      }
      case "values":
        values.add(textOf(carrier) ?? canonicalOf(carrier));
        break;
      case "nowhere":
        break;
    }
  }
  for (const [parent, keys] of names) {
    const many = keys.length === 1 ? "1 name" : `${keys.length} names`;
    say(`${many} in ${parent === "" ? "the whole" : shownPlace(parent, view)}`, keys.join(", "), false);
  }
  for (const keys of names.values()) for (const key of keys) values.delete(key);
  if (values.size > 0) say("values", [...values].join(", "), false);
  return rows;
}

function placeFor(carrier: Carrier, name: string): "own rows" | "names" | "values" | "nowhere" {
  const { part, role } = carrier;
  const text = textOf(carrier);
  if (part === "key") return role === "contract" ? "nowhere" : "names";
  if (text === undefined) {
    // Hosts skip their own question for a tool that says it is harmless.
    if (role === "hint") return "own rows";
    return carrier.json.is === "number" ? "values" : "nowhere";
  }
  if (role === "identity" && text === name) return isShownWhole(name) ? "nowhere" : "own rows";
  if (role === "identity" || role === "contract") return isSchemaWord(text) ? "nowhere" : "values";
  return "own rows";
}

function canonicalOf(carrier: Carrier): string {
  return carrier.part === "leaf" ? canonicalize(carrier.json) : carrier.key;
}

function shownPlace(at: Pointer, view: View): string {
  return at === "" ? "" : shownName(at, view);
}
