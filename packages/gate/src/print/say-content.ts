import { type RawDefinition, surfaceOf, textOf, visible } from "@countersign/core";
import { paint, shownName, type View } from "./view.ts";

/** Everything of a definition that the model would read as text, a line each, with what hides in it made visible. */
export function sayContent({ address, json }: RawDefinition, view: View): string {
  const lines = [`${address.kind} ${paint(view, "bold", shownName(address.name, view))}`];
  if (!view.text) return lines.join("\n");
  for (const carrier of surfaceOf(address, json).carriers) {
    if (carrier.part === "key" && carrier.role === "contract") continue;
    const text = textOf(carrier);
    const what = carrier.part === "key" ? "name" : "text";
    if (text !== undefined && !(carrier.part === "leaf" && carrier.role === "contract" && plain.test(text))) {
      lines.push(
        `  ${paint(view, "dim", `${visible(carrier.at)} ${what === "name" ? "(name)" : ""}`)}${what === "name" ? "" : visible(text)}`,
      );
    }
  }
  return lines.join("\n");
}

/** A `type`, a `$schema`: words of JSON Schema rather than of the server. */
const plain = /^(?:string|number|integer|boolean|object|array|null|https?:\/\/json-schema\.org\/[a-z0-9/-]+#?)$/;
