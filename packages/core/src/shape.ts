import type { Kind } from "./address.ts";
import { type Json, memberOf } from "./json.ts";
import { rootPlace } from "./place.ts";
import { below, type Pointer, root } from "./pointer.ts";
import { findTwin } from "./twins.ts";

/** Why a definition is refused before anyone is asked about it. */
export interface Fault {
  /** `WRONG_TYPE`: of another type, or none of the values that readers know there. */
  readonly code: "WRONG_TYPE" | "MISSING" | "TWIN_KEY" | "DUPLICATE_NAME";
  readonly at: Pointer;
}

interface Shape {
  readonly is: Json["is"];
  /** Beyond the type; a value that fails is of the wrong type as well. */
  readonly holds?: (json: Json) => boolean;
  readonly required?: Readonly<Record<string, Shape>>;
  readonly optional?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
}

const string: Shape = { is: "string" };
const boolean: Shape = { is: "boolean" };
const object: Shape = { is: "object" };
const strings: Shape = { is: "array", items: string };

function oneOf(...values: readonly string[]): Shape {
  return { is: "string", holds: (json) => json.is === "string" && values.includes(json.value) };
}

const icon: Shape = {
  is: "object",
  required: { src: string },
  optional: { mimeType: string, sizes: strings, theme: oneOf("light", "dark") },
};
const named = { title: string, description: string, icons: { is: "array", items: icon }, _meta: object } as const;

const fraction: Shape = {
  is: "number",
  holds: (json) => json.is === "number" && Number(json.token) >= 0 && Number(json.token) <= 1,
};
const instant: Shape = {
  is: "string",
  holds: (json) =>
    json.is === "string" &&
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/.test(
      json.value,
    ),
};
const resource = {
  ...named,
  mimeType: string,
  size: { is: "number" },
  annotations: {
    is: "object",
    optional: {
      audience: { is: "array", items: oneOf("user", "assistant") },
      priority: fraction,
      lastModified: instant,
    },
  },
} as const;

const info: Shape = {
  is: "object",
  required: { name: string, version: string },
  optional: { title: string, description: string, websiteUrl: string, icons: named.icons },
};
const changing: Shape = { is: "object", optional: { listChanged: boolean, subscribe: boolean } };
const capabilities: Shape = {
  is: "object",
  optional: { tools: changing, prompts: changing, resources: changing, logging: object, completions: object },
};

const tool: Shape = {
  is: "object",
  required: {
    name: string,
    inputSchema: { is: "object", optional: { properties: object, required: strings } },
  },
  optional: {
    ...named,
    outputSchema: object,
    execution: { is: "object", optional: { taskSupport: oneOf("required", "optional", "forbidden") } },
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
};

const held: Shape = {
  is: "object",
  optional: {
    description: string,
    messages: {
      is: "array",
      items: { is: "object", required: { role: oneOf("user", "assistant"), content: { is: "object" } } },
    },
    contents: {
      is: "array",
      items: { is: "object", required: { uri: string }, optional: { mimeType: string, text: string, blob: string } },
    },
    _meta: object,
  },
};

/**
 * What every published SDK insists on. One definition that breaks it makes their clients throw the whole list away, so
 * it is isolated here. Whatever a shape does not mention may be anything. They insist on `inputSchema.type` too, but real
 * servers leave it out and other hosts do without it, so a person decides about that: it is left to the schema gate.
 */
const shapes: Readonly<Record<Kind, Shape>> = {
  tool,
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
  server: {
    is: "object",
    optional: {
      serverInfo: info,
      capabilities,
      _meta: { is: "object", optional: { "io.modelcontextprotocol/serverInfo": info } },
    },
  },
  skill: object,
  body: held,
  view: held,
  launch: object,
  claim: object,
  "sampled-tool": tool,
};

/** Every fault of one definition's shape, and its first twin key; none when it may be judged. */
export function faultsOf(kind: Kind, json: Json): readonly Fault[] {
  const faults: Fault[] = [];
  compare(json, shapes[kind], root, faults);
  const twin = findTwin(json, rootPlace(kind));
  if (twin !== undefined) faults.push({ code: "TWIN_KEY", at: twin });
  return faults;
}

function compare(json: Json, shape: Shape, at: Pointer, faults: Fault[]): void {
  if (json.is !== shape.is || shape.holds?.(json) === false) {
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
