import { canonicalize, type Kind, type RawDefinition, type Role, surfaceOf, textOf } from "@countersign/core";
import { tokensIn } from "./token-estimate.ts";

/** What a definition costs in a model's context, by what its texts are for. Tokens, estimated. */
export interface Cost {
  readonly kind: Kind;
  readonly name: string;
  readonly total: number;
  /** Texts for the model to read: descriptions, titles, examples. */
  readonly prose: number;
  /** The rest: names, keywords, values and punctuation. */
  readonly contract: number;
}

const read: ReadonlySet<Role> = new Set(["prose", "opaque"]);

/** As if all of the definition were put to the model as compact JSON, which is the most that a host can send of it. */
export function costOf({ address, json }: RawDefinition): Cost {
  const total = tokensIn(canonicalize(json));
  let prose = 0;
  for (const carrier of surfaceOf(address, json).carriers) {
    if (carrier.part === "leaf" && read.has(carrier.role)) prose += tokensIn(textOf(carrier) ?? "");
  }
  const { kind, name } = address;
  return { kind, name, total, prose: Math.min(prose, total), contract: Math.max(0, total - prose) };
}
