import type { Kind, Prose } from "@countersign/core";
import { isObject } from "./carriers.ts";

type Entry = readonly [key: string, value: unknown];
type View = (value: unknown) => unknown;

/** Stands for what the model does not read. */
const unread = Symbol("unread");

/**
 * What a model reads of a definition as it comes from the server, under a plan. This is the proof's own idea of it, by
 * keywords and over what `JSON.parse` made; the gate's own shares nothing with it.
 */
export function modelView(kind: Kind, value: unknown, prose: Prose): unknown {
  if (prose === "as-sent") return value;
  if (kind === "instructions") return prose === "frozen" && typeof value !== "string" ? value : unread;
  return views(prose).of(kind)(value);
}

function views(prose: "frozen" | "stripped") {
  const stripped = prose === "stripped";
  const keep: View = (value) => value;
  const never: View = () => unread;
  const text: View = (value) => (stripped || typeof value === "string" ? unread : value);
  const other: View = stripped ? never : keep;
  const flag: View = (value) =>
    !stripped || value === null || typeof value === "boolean" || typeof value === "number" ? value : unread;
  const mute: View = (value) => {
    if (!stripped) return value;
    if (typeof value === "string") return unread;
    if (Array.isArray(value)) return value.map(mute);
    return isObject(value) ? object(value, () => mute) : value;
  };

  /** Anything but an object, where one belongs, is no contract if it is a text. */
  const record =
    (known: Readonly<Record<string, View>>): View =>
    (value) => {
      if (Array.isArray(value)) return value.map(record(known));
      if (!isObject(value)) return stripped && typeof value === "string" ? unread : value;
      return object(value, (key) => (Object.hasOwn(known, key) ? (known[key] ?? other) : other));
    };

  const schema: View = (value) => {
    if (Array.isArray(value)) return value.map(schema);
    if (!isObject(value)) return value;
    return object(value, (key) => {
      if (key === "default") return stripped ? (inner: unknown) => sampleOf(inner, value) : keep;
      if (["title", "description", "$comment"].includes(key)) return text;
      if (["examples", "enumNames"].includes(key)) return never;
      if (["deprecated", "readOnly", "writeOnly"].includes(key)) return flag;
      if (maps.has(key)) return map;
      if (schemas.has(key)) return schema;
      return contract.has(key) ? keep : other;
    });
  };
  const map: View = (value) => {
    if (Array.isArray(value)) return value.map(schema);
    return isObject(value) ? object(value, () => schema) : value;
  };

  const information = { name: keep, version: keep, title: text, description: text };
  const info = record(information);
  const hints = Object.fromEntries(
    ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"].map((hint) => [hint, flag]),
  );
  const tool = {
    ...{ name: keep, title: text, description: text, inputSchema: schema, outputSchema: schema },
    annotations: record({ title: text, ...hints }),
    execution: record({ taskSupport: keep }),
  };
  const argument = record({ name: keep, title: text, description: text, required: keep });
  const resource = {
    ...{ uri: keep, uriTemplate: keep, name: keep, title: text, description: text, mimeType: keep, size: keep },
    annotations: record({ audience: keep, lastModified: keep, priority: flag }),
  };

  return {
    of(kind: Kind): View {
      switch (kind) {
        case "tool":
        case "sampled-tool":
          return record(tool);
        case "prompt":
          return record({
            ...{ name: keep, title: text, description: text },
            arguments: (value) => (Array.isArray(value) ? value.map(argument) : value),
          });
        case "resource":
        case "template":
          return record(resource);
        case "server":
          return record({
            serverInfo: info,
            capabilities: mute,
            _meta: record({ "io.modelcontextprotocol/serverInfo": info }),
          });
        case "instructions":
        case "skill":
        case "body":
        case "view":
        case "launch":
        case "claim":
          return keep;
      }
    },
  };
}

/** A default is read where it says nothing, or says what the schema's own contract says. */
function sampleOf(value: unknown, schema: Readonly<Record<string, unknown>>): unknown {
  const allowed = Array.isArray(schema["enum"]) ? schema["enum"] : [];
  const listed = [...allowed, ...(Object.hasOwn(schema, "const") ? [schema["const"]] : [])];
  const spelled = JSON.stringify(value);
  return says(value) && !listed.some((one) => JSON.stringify(one) === spelled) ? unread : value;
}

function says(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(says);
  return typeof value === "string" || (isObject(value) && Object.keys(value).length > 0);
}

function object(value: Readonly<Record<string, unknown>>, viewOf: (key: string) => View): unknown {
  const entries = Object.entries(value).map(([key, inner]): Entry => [key, viewOf(key)(inner)]);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== unread));
}

const maps: ReadonlySet<string> = new Set(
  "properties patternProperties $defs definitions dependentSchemas dependencies allOf anyOf oneOf prefixItems".split(
    " ",
  ),
);
const schemas: ReadonlySet<string> = new Set(
  (
    "items additionalItems contains not if then else additionalProperties unevaluatedProperties unevaluatedItems " +
    "propertyNames contentSchema"
  ).split(" "),
);
const contract: ReadonlySet<string> = new Set(
  (
    "type enum const required dependentRequired pattern minimum exclusiveMinimum minLength minItems minProperties " +
    "minContains maximum exclusiveMaximum maxLength maxItems maxProperties maxContains multipleOf uniqueItems format " +
    "contentMediaType contentEncoding x-mcp-header $ref $dynamicRef $id $anchor $dynamicAnchor $schema $vocabulary"
  ).split(" "),
);
