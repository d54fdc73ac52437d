import type { Kind } from "./address.ts";
import type { Json } from "./json.ts";
import { memberPlace, type Place, rootPlace } from "./place.ts";
import { below, type Pointer, root } from "./pointer.ts";

/** A text of the server in whose place a plan may set one of the operator. */
export interface SettableText {
  readonly at: Pointer;
  readonly text: string;
  /** Whether it stands there to be read. The others are samples of values, or what no contract names. */
  readonly isProse: boolean;
}

/** In document order. */
export function settableTexts(kind: Kind, json: Json): readonly SettableText[] {
  return [...textsIn(json, root, rootPlace(kind))];
}

/** INVARIANT: `readJson` bounds the depth, so the recursion is bounded too. */
function* textsIn(json: Json, at: Pointer, place: Place): Generator<SettableText> {
  switch (json.is) {
    case "string":
      if (place.annotation !== undefined) yield { at, text: json.value, isProse: place.annotation === "prose" };
      return;
    case "array":
      for (const [index, item] of json.items.entries()) yield* textsIn(item, below(at, index), place.items);
      return;
    case "object":
      for (const { key, value } of json.members) yield* textsIn(value, below(at, key), memberPlace(place, key));
      return;
    case "null":
    case "boolean":
    case "number":
  }
}
