import type { Kind } from "./address.ts";
import { type Json, memberOf } from "./json.ts";
import { rootPlace } from "./place.ts";
import { below, type Pointer, root } from "./pointer.ts";
import { findTwin } from "./twins.ts";

/** Why a definition is refused before anyone is asked about it. */
export interface Fault {
  readonly code: "WRONG_TYPE" | "MISSING" | "TWIN_KEY" | "DUPLICATE_NAME";
  readonly at: Pointer;
}

interface Shape {
  readonly is: Json["is"];
  readonly required?: Readonly<Record<string, Shape>>;
  readonly optional?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

const string: Shape = { is: "string" };
const boolean: Shape = { is: "boolean" };
const object: Shape = { is: "object" };
const named = { title: string, description: string, icons: { is: "array", items: object }, _meta: object } as const;
const resource = { ...named, mimeType: string, size: { is: "number" }, annotations: object } as const;
const info: Shape = { is: "object", required: { name: string, version: string } };

/**
 * What the published SDKs insist on. One definition that breaks it makes their clients throw the whole list away, so it
 * is isolated here. Whatever a shape does not mention may be anything.
 */
const shapes: Readonly<Record<Kind, Shape>> = {
  tool: {
    is: "object",
    required: { name: string, inputSchema: object },
    optional: {
      ...named,
      outputSchema: object,
      execution: object,
      annotations: {
        is: "object",
        optional: {
          title: string,
          readOnlyHint: boolean,
          destructiveHint: boolean,
          idempotentHint: boolean,
          openWorldHint: boolean,
        },
      },
    },
  },
  prompt: {
    is: "object",
    required: { name: string },
    optional: {
      ...named,
      arguments: {
        is: "array",
        items: {
          is: "object",
          required: { name: string },
          optional: { title: string, description: string, required: boolean },
        },
      },
    },
  },
  resource: { is: "object", required: { uri: string, name: string }, optional: resource },
  template: { is: "object", required: { uriTemplate: string, name: string }, optional: resource },
  instructions: string,
  server: { is: "object", optional: { serverInfo: info, capabilities: object, _meta: object } },
  skill: object,
  launch: object,
  "sampled-tool": object,
};

/** Every fault of one definition; none when it may be judged. */
export function faultsOf(kind: Kind, json: Json): readonly Fault[] {
  const faults: Fault[] = [];
  compare(json, shapes[kind], root, faults);
  const twin = findTwin(json, rootPlace(kind));
  if (twin !== undefined) faults.push({ code: "TWIN_KEY", at: twin });
  return faults;
}

function compare(json: Json, shape: Shape, at: Pointer, faults: Fault[]): void {
  if (json.is !== shape.is) {
    faults.push({ code: "WRONG_TYPE", at });
    return;
  }
  for (const [key, expected] of Object.entries(shape.required ?? {})) {
    const value = memberOf(json, key);
    if (value === undefined) faults.push({ code: "MISSING", at: below(at, key) });
    else compare(value, expected, below(at, key), faults);
  }
  for (const [key, expected] of Object.entries(shape.optional ?? {})) {
    const value = memberOf(json, key);
    if (value !== undefined) compare(value, expected, below(at, key), faults);
  }
  if (json.is === "array" && shape.items !== undefined) {
    for (const [index, item] of json.items.entries()) compare(item, shape.items, below(at, index), faults);
  }
}
