import { addressKey, canonicalize, type Json, memberOf, type RawDefinition } from "@countersign/core";

/** One tool or prompt, as a manifest claims it and a running server offers it. Both wrote its name. */
export interface Comparison {
  readonly what: "tool" | "prompt";
  readonly name: string;
  readonly result: "same" | "claims-otherwise" | "not-offered" | "not-claimed";
  /** The fields in which they differ, of those that the manifest claims. */
  readonly fields: readonly string[];
}

/**
 * Holds what a manifest claims against what its server last offered. A claim is short: only the fields that it has are
 * compared, so `same` says nothing of the others.
 */
export function compareClaims(
  claimed: readonly RawDefinition[],
  offered: readonly RawDefinition[],
): readonly Comparison[] {
  const comparisons: Comparison[] = [];
  for (const what of ["tool", "prompt"] as const) {
    const offers = new Map(offered.map((one) => [addressKey(one.address), one.json]));
    const names = new Set<string>();
    for (const { address, json } of claimed) {
      if (!address.name.startsWith(`${what}:`)) continue;
      const name = address.name.slice(what.length + 1);
      names.add(name);
      const offer = offers.get(addressKey({ kind: what, name }));
      if (offer === undefined) comparisons.push({ what, name, result: "not-offered", fields: [] });
      else {
        const fields = fieldsApart(what, json, offer);
        comparisons.push({ what, name, result: fields.length === 0 ? "same" : "claims-otherwise", fields });
      }
    }
    for (const { address } of offered) {
      if (address.kind !== what || names.has(address.name)) continue;
      comparisons.push({ what, name: address.name, result: "not-claimed", fields: [] });
    }
  }
  return comparisons;
}

/** A bundle's prompt has `text`, and its arguments by name alone; neither is a field of what a server lists. */
function fieldsApart(what: Comparison["what"], claim: Json, offer: Json): readonly string[] {
  if (claim.is !== "object") return [];
  return claim.members
    .filter(({ key }) => what === "tool" || (key !== "text" && key !== "arguments"))
    .filter(({ key, value }) => {
      const other = memberOf(offer, key);
      return other === undefined || canonicalize(other) !== canonicalize(value);
    })
    .map(({ key }) => key);
}
