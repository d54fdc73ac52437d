import {
  type Address,
  addressKey,
  asSent,
  asServerName,
  type Binding,
  type Digest,
  digestOf,
  digestOfCanonical,
  emptySnapshot,
  type Json,
  type Kind,
  memberOf,
  type RawDefinition,
} from "@countersign/core";
import { contextOf, subjectOf } from "../inspect.ts";
import type { Subject } from "../rule.ts";

/** All that a definition is judged among. */
export interface Surroundings {
  readonly kind?: Kind;
  /** Its server, as the operator calls it. */
  readonly server?: string;
  /** Other tools of its server, offered with it. */
  readonly own?: readonly string[];
  /** Tools of approved servers. */
  readonly neighbours?: readonly Neighbour[];
  /** Texts of its server's approved definitions of the same kind. */
  readonly bound?: readonly Bound[];
}

export interface Neighbour {
  readonly server: string;
  readonly name: string;
}

export interface Bound {
  readonly text: string;
  readonly json: Json;
}

/** One definition as the only newcomer, but for what is bound. */
export function subjectOfJson(
  json: Json,
  { kind = "tool", server = "guarded", own = [], neighbours = [], bound = [] }: Surroundings = {},
): Subject {
  const named = (name: string, of: Kind = kind): Address => ({ server: serverNamed(server), kind: of, name });
  const definition = definitionOf(named(nameOf(json) ?? kind), json);
  const others = own.map((one) => definitionOf(named(one, kind === "prompt" ? kind : "tool"), nothing));
  const texts = new Map<Digest, string>();
  const bindings = new Map<string, Binding>();
  for (const { text, json: approved } of bound) {
    const binding = bindingOf(named(nameOf(approved) ?? kind), approved);
    texts.set(binding.received, text);
    bindings.set(addressKey(binding.address), binding);
  }
  const context = contextOf(
    { definitions: [definition, ...others], malformed: [] },
    {
      ...emptySnapshot,
      bindings,
      texts,
      neighbours: neighbours.map((one) => ({ server: serverNamed(one.server), kind: "tool", name: one.name })),
    },
  );
  const [surface] = context.offer;
  if (surface === undefined) throw new Error("a definition has no surface");
  return subjectOf(surface, json, context);
}

const nothing: Json = { is: "object", start: 0, end: 2, members: [] };

function nameOf(json: Json): string | undefined {
  const named = memberOf(json, "name");
  return named?.is === "string" ? named.value : undefined;
}

function definitionOf(address: Address, json: Json): RawDefinition {
  return { address, text: "", json, received: digestOf(address.kind, json) };
}

function bindingOf(address: Address, json: Json): Binding {
  const received = digestOf(address.kind, json);
  const none = digestOfCanonical("policy", "[]");
  return {
    ...{ address, received, contract: received, plan: asSent, rendered: received },
    ...{ acknowledged: [], by: "somebody", seq: 1 },
    ...{ ruleset: none, policy: none },
  };
}

function serverNamed(name: string): Address["server"] {
  const made = asServerName(name);
  if (made === undefined) throw new Error(`${name} is no server name`);
  return made;
}
