import { type Carrier, surfaceOf, textOf } from "@countersign/core";
import { isSchemaWord } from "./print/schema-words.ts";
import { readAs } from "./read-as.ts";
import type { Stood } from "./standing.ts";

/**
 * What is left of the server's own words in a stripped definition: names, and values that a contract needs. JSON Schema's words
 * are not the server's, and a text that is set is the operator's.
 */
export function survivorsIn(stood: Stood): readonly Carrier[] {
  const { plan } = stood;
  if (plan.prose !== "stripped") return [];
  const { address, json } = readAs(stood);
  const own = new Set<string>(plan.set?.map(({ at }) => at));
  return surfaceOf(address, json).carriers.filter((carrier) => {
    const text = textOf(carrier);
    if (text === undefined || own.has(carrier.at)) return false;
    return carrier.part === "key" ? carrier.role !== "contract" : !isSchemaWord(text);
  });
}
