import { memberOf } from "@countersign/core";
import { type Manifest, remainder } from "./format.ts";
import type { ObjectText } from "./json-manifest.ts";
import { nameIn } from "./said.ts";

/** `ai-plugin.json`: what it says "for the model" is read by one. */
export function readAiPlugin({ json, text }: ObjectText): Manifest {
  const name = nameIn(memberOf(json, "name_for_model"), text);
  return { format: "ai-plugin", name, said: [remainder(text)], notes: [] };
}
