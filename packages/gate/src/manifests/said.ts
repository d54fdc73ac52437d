import type { Json, JsonObject, Member } from "@countersign/core";

/** One definition as a manifest has it, before it is judged. Whoever published the manifest wrote the name and the text. */
export interface Said {
  readonly kind: "claim" | "skill";
  readonly name: string;
  /** JSON, an object. */
  readonly text: string;
}

/** A JSON text, and what it says. Offsets count in the text. */
export interface JsonText {
  readonly text: string;
  readonly json: Json;
}

/** An object made of members, each as it was spelled. */
export function objectOf(members: readonly string[]): string {
  return `{${members.join(",")}}`;
}

export function member(key: string, value: string): string {
  return `${JSON.stringify(key)}:${value}`;
}

/** A member as it stands in a text. */
export function spelled({ start, value }: Member, text: string): string {
  return text.slice(start, value.end);
}

/** Everything that an object says but for these members. */
export function without(keys: readonly string[], object: JsonObject, text: string): string {
  return objectOf(object.members.filter(({ key }) => !keys.includes(key)).map((one) => spelled(one, text)));
}

/** The text that stands for a value: its own where it is a string, else how it is spelled. */
export function nameIn(json: Json | undefined, text: string): string {
  if (json === undefined) return "";
  return json.is === "string" ? json.value : text.slice(json.start, json.end);
}

/** Each entry of a list or of a map, as an object: of an entry that is none, one that holds it. */
export function entriesOf(
  json: Json | undefined,
  text: string,
  nameKey: string,
): readonly { name: string; text: string }[] {
  if (json?.is === "array") {
    return json.items.map((item) => {
      const name = item.is === "object" ? item.members.find(({ key }) => key === nameKey)?.value : item;
      return { name: nameIn(name, text), text: asObject(item, text) };
    });
  }
  if (json?.is === "object") return json.members.map(({ key, value }) => ({ name: key, text: asObject(value, text) }));
  return [];
}

function asObject(json: Json, text: string): string {
  const own = text.slice(json.start, json.end);
  return json.is === "object" ? own : objectOf([member("value", own)]);
}
