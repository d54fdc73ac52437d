import type { Json, JsonObject } from "./json.ts";

/** What becomes of one value. A member that is dropped takes its key with it. */
export type Edit = { readonly is: "drop" } | { readonly is: "put"; readonly text: string };

/** Changes to one JSON text. */
export class Edits {
  readonly #edits = new Map<Json, Edit>();
  /** Values that hold an edited one. */
  readonly #above = new Set<Json>();
  /** Members that an object gains, as JSON text. */
  readonly #gains = new Map<JsonObject, string>();

  /** @param above every value around `json`, the whole first */
  edit(json: Json, above: readonly Json[], edit: Edit): void {
    this.#edits.set(json, edit);
    for (const one of above) this.#above.add(one);
  }

  gain(object: JsonObject, above: readonly Json[], member: string): void {
    this.#gains.set(object, member);
    this.#above.add(object);
    for (const one of above) this.#above.add(one);
  }

  drops(json: Json): boolean {
    return this.#edits.get(json)?.is === "drop";
  }

  /** The text with all edits made. What no edit touches keeps its spelling. `json` was read from `text`; the whole is never dropped. */
  applyTo(text: string, json: Json): string {
    const edit = this.#edits.get(json);
    if (edit?.is === "put") return edit.text;
    if (!this.#above.has(json)) return text.slice(json.start, json.end);
    switch (json.is) {
      case "array":
        return `[${json.items.filter((item) => !this.drops(item)).map((item) => this.applyTo(text, item))}]`;
      case "object": {
        const members = json.members
          .filter(({ value }) => !this.drops(value))
          .map(({ start, value }) => text.slice(start, value.start) + this.applyTo(text, value));
        const gain = this.#gains.get(json);
        return `{${gain === undefined ? members : [...members, gain]}}`;
      }
      case "null":
      case "boolean":
      case "number":
      case "string":
        return text.slice(json.start, json.end);
    }
  }
}
