import { canonicalize, type RawDefinition, surfaceOf, textOf, visible } from "@countersign/core";
import { sayLaunch } from "./say-launch.ts";
import { paint, shownName, type View } from "./view.ts";

/**
 * Everything of a definition that the model would read as text, with what hides in it made visible: prose by its place,
 * then all names and values once each. Only JSON Schema's own words are left out.
 */
export function sayContent(definition: RawDefinition, view: View): string {
  const { address, json } = definition;
  if (address.kind === "launch") return sayLaunch(definition, view);
  const head = `${address.kind} ${paint(view, "bold", shownName(address.name, view))}`;
  if (!view.text) return head;
  const lines: string[] = [];
  const names = new Set<string>();
  for (const carrier of surfaceOf(address, json).carriers) {
    const text = textOf(carrier);
    if (text === undefined) {
      // Hosts skip their own question for a tool that says it is harmless.
      if (carrier.part === "leaf" && carrier.role === "hint") {
        lines.push(`  ${paint(view, "dim", visible(carrier.at))} ${canonicalize(carrier.json)}`);
      }
      continue;
    }
    if (carrier.part === "leaf" && carrier.role !== "contract" && carrier.role !== "identity") {
      lines.push(`  ${paint(view, "dim", visible(carrier.at))} ${visible(text)}`);
    } else if (carrier.role !== "contract" || (carrier.part === "leaf" && !schemaWords.test(text))) {
      if (text !== address.name) names.add(text);
    }
  }
  if (names.size > 0) lines.push(`  ${paint(view, "dim", "names and values:")} ${[...names].map(visible).join(", ")}`);
  return [head, ...lines].join("\n");
}

const schemaWords =
  /^(?:string|number|integer|boolean|object|array|null|https?:\/\/json-schema\.org\/(?:draft-0[3-7]|draft\/20[0-9]{2}-[0-9]{2})\/schema#?)$/;
