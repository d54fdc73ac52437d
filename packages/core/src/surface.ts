import type { Address } from "./address.ts";
import type { Json } from "./json.ts";
import { memberPlace, type Place, type Role, rootPlace } from "./place.ts";
import { below, type Pointer, root } from "./pointer.ts";

/** One thing that the model may read: a key, or a value that holds no others. */
export type Carrier =
  | { readonly part: "key"; readonly at: Pointer; readonly role: Role; readonly key: string }
  | { readonly part: "leaf"; readonly at: Pointer; readonly role: Role; readonly json: Json };

/** Every key and every leaf of a definition. */
export interface Surface {
  readonly address: Address;
  /** In document order: a key, then what it holds. */
  readonly carriers: readonly Carrier[];
}

/**
 * Every key and every leaf of a definition. Total: the walk knows no keyword, the places only give roles.
 *
 * INVARIANT: `readJson` bounds the depth, so the recursion is bounded too.
 */
export function surfaceOf(address: Address, json: Json): Surface {
  const carriers: Carrier[] = [];
  walk(json, root, rootPlace(address.kind), carriers);
  return { address, carriers };
}

function walk(json: Json, at: Pointer, place: Place, carriers: Carrier[]): void {
  if (json.is === "object" && json.members.length > 0) {
    for (const member of json.members) {
      const where = below(at, member.key);
      const role = place.known.has(member.key) ? "contract" : place.key;
      carriers.push({ part: "key", at: where, role, key: member.key });
      walk(member.value, where, memberPlace(place, member.key), carriers);
    }
  } else if (json.is === "array" && json.items.length > 0) {
    json.items.forEach((item, index) => {
      walk(item, below(at, index), place.items, carriers);
    });
  } else {
    carriers.push({ part: "leaf", at, role: json.is === "string" ? place.text : place.scalar, json });
  }
}

/** The text that a carrier shows a reader, if it is text. */
export function textOf(carrier: Carrier): string | undefined {
  if (carrier.part === "key") return carrier.key;
  return carrier.json.is === "string" ? carrier.json.value : undefined;
}
