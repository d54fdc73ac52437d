import { below, type Pointer } from "@countersign/core";
import type { PathFault } from "./path-fault.ts";

/**
 * Why arguments are refused. Pointers and names of keywords, never a value: it may be a secret. `at` points into the
 * arguments, whose keys a model wrote; `schema` into the schema, whose keys a server wrote.
 */
export type Violation =
  | {
      readonly code: "FAILED";
      readonly keyword: string;
      readonly at: Pointer;
      readonly schema: Pointer;
      /** Of `pathUnder` alone. */
      readonly because?: PathFault;
    }
  /** No schema that applies to the arguments declares it, and none says by word that others are welcome. */
  | { readonly code: "UNDECLARED"; readonly at: Pointer }
  /** What the schema demands there cannot be told, so nothing satisfies it. */
  | {
      readonly code: "UNSUPPORTED";
      readonly keyword: string;
      readonly because: Unsupported;
      readonly at: Pointer;
      readonly schema: Pointer;
    }
  /** Checking was given up: it would have taken more steps, or a deeper nesting, than one call is worth. */
  | { readonly code: "TOO_MUCH_WORK"; readonly at: Pointer; readonly schema: Pointer };

export type Unsupported =
  | "malformed"
  | "unknown-dialect"
  | "mixed-dialects"
  | "remote"
  | "missing"
  | "ambiguous"
  | "dynamic-scope"
  | "look-around"
  | "backreference"
  | "too-large"
  | "unknown-syntax";

/** A pointer that is not written out before something has to be said: the rest of it, and its last token. */
export type Trail = Pointer | { readonly parent: Trail; readonly token: string | number };

export function pointerOf(trail: Trail): Pointer {
  const tokens: (string | number)[] = [];
  let step = trail;
  for (; typeof step !== "string"; step = step.parent) tokens.push(step.token);
  return tokens.reverse().reduce<Pointer>(below, step);
}
