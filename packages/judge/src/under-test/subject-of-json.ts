import {
  type Address,
  asServerName,
  digestOf,
  type Json,
  type Kind,
  memberOf,
  type RawDefinition,
} from "@countersign/core";
import { contextOf, subjectOf } from "../inspect.ts";
import type { Subject } from "../rule.ts";

/** One definition among other tools of its server (`own`) and of approved servers (`neighbours`). */
export function subjectOfJson(
  json: Json,
  {
    kind = "tool",
    own = [],
    neighbours = [],
  }: { kind?: Kind; own?: readonly string[]; neighbours?: readonly string[] } = {},
): Subject {
  const named = memberOf(json, "name");
  const name = named?.is === "string" ? named.value : kind;
  const definition = definitionOf({ server: serverNamed("guarded"), kind, name }, json);
  const others = own.map((one) => definitionOf({ server: serverNamed("guarded"), kind: "tool", name: one }, nothing));
  const context = contextOf([definition, ...others], {
    seq: 0,
    now: 0,
    bindings: new Map(),
    withdrawn: new Map(),
    texts: new Map(),
    neighbours: neighbours.map((one) => ({ server: serverNamed("neighbour"), kind: "tool", name: one })),
    launch: undefined,
  });
  const [surface] = context.offer;
  if (surface === undefined) throw new Error("a definition has no surface");
  return subjectOf(surface, json, context);
}

const nothing: Json = { is: "object", start: 0, end: 2, members: [] };

function definitionOf(address: Address, json: Json): RawDefinition {
  return { address, text: "", json, received: digestOf(address.kind, json) };
}

function serverNamed(name: string): Address["server"] {
  const made = asServerName(name);
  if (made === undefined) throw new Error(`${name} is no server name`);
  return made;
}
