import { below, type Json, memberOf, type Pointer, type RawDefinition, root } from "@countersign/core";
import { schemasOf } from "@countersign/judge";
import type { Limited, ProviderLimit } from "./provider-limits.ts";

/** Where an offer goes beyond what a provider or a host takes. */
export interface LimitMet extends Omit<ProviderLimit, "limited"> {
  readonly limited: Limited;
  /** The tool; absent where it is about all of them. Server-chosen. */
  readonly tool?: string;
  /** The first place, and how many there are. */
  readonly at: Pointer;
  readonly places: number;
  /** What is there: a keyword, a length, a number. Never more of what the server wrote. */
  readonly found: string;
}

/**
 * @param tools the tools of an offer
 * @param server the name that users give the server in a host's config
 */
export function limitsMet(
  tools: readonly RawDefinition[],
  limits: readonly ProviderLimit[],
  server: string,
): readonly LimitMet[] {
  const read = tools.map((tool) => ({ tool, schemas: inputSchemas(tool) }));
  return limits.flatMap((limit): readonly LimitMet[] => {
    const { limited } = limit;
    if (limited.is === "tools") {
      if (tools.length <= limited.most) return [];
      return [{ ...limit, at: root, places: tools.length - limited.most, found: `${tools.length} tools` }];
    }
    return read.flatMap(({ tool, schemas }) => {
      const places = placesOf(limited, tool, schemas, server);
      const [first] = places;
      if (first === undefined) return [];
      return [{ ...limit, tool: tool.address.name, at: first.at, places: places.length, found: foundIn(places) }];
    });
  });
}

interface Place {
  readonly at: Pointer;
  readonly found: string;
}

interface Schema {
  readonly json: Json;
  readonly at: Pointer;
  readonly depth: number;
}

function inputSchemas({ address, json }: RawDefinition): readonly Schema[] {
  const documents = schemasOf(address, json).filter(({ at }) => at === below(root, "inputSchema"));
  return documents.flatMap(({ schemas }) => schemas);
}

function placesOf(
  limited: Exclude<Limited, { is: "tools" }>,
  { address, json }: RawDefinition,
  schemas: readonly Schema[],
  server: string,
): readonly Place[] {
  const { name } = address;
  switch (limited.is) {
    case "tool-name":
      return limited.pattern.test(name)
        ? []
        : [{ at: below(root, "name"), found: `a name of ${name.length} characters` }];
    case "joined-name": {
      const { length } = `${limited.before}${server}${limited.between}${name}`;
      return length <= limited.longest ? [] : [{ at: below(root, "name"), found: `${length} characters` }];
    }
    case "property-name":
      return schemas
        .filter(({ depth }) => depth === 0)
        .flatMap(({ json: schema, at }) => {
          const properties = memberOf(schema, "properties");
          if (properties?.is !== "object") return [];
          return properties.members
            .filter(({ key }) => !limited.pattern.test(key))
            .map(({ key }) => ({
              at: below(below(at, "properties"), key),
              found: `a name of ${key.length} characters`,
            }));
        });
    case "root-keywords":
      return schemas.filter(({ depth }) => depth === 0).flatMap((schema) => keywordsOf(schema, limited.keywords));
    case "keywords":
      return schemas.flatMap((schema) => keywordsOf(schema, limited.keywords));
    case "array-without-items":
      return schemas
        .filter(({ json: schema }) => allows(schema, "array") && !listsItems(schema))
        .map(({ at }) => ({ at, found: "an array without items" }));
    case "formats":
      return schemas.flatMap(({ json: schema, at }) => {
        const format = memberOf(schema, "format");
        if (format?.is !== "string" || limited.known.includes(format.value) || !allows(schema, "string")) return [];
        return [{ at: below(at, "format"), found: "another format" }];
      });
    case "type-list":
      return schemas.flatMap(({ json: schema, at }) =>
        memberOf(schema, "type")?.is === "array" ? [{ at: below(at, "type"), found: "a list of types" }] : [],
      );
    case "empty-description": {
      const description = memberOf(json, "description");
      const empty = description?.is === "string" && description.value === "";
      return empty ? [{ at: below(root, "description"), found: "an empty description" }] : [];
    }
  }
}

function keywordsOf({ json, at }: Schema, keywords: readonly string[]): readonly Place[] {
  return keywords.flatMap((found) => (memberOf(json, found) === undefined ? [] : [{ at: below(at, found), found }]));
}

function listsItems(schema: Json): boolean {
  const items = memberOf(schema, "items");
  return items !== undefined && items.is !== "boolean";
}

function allows(schema: Json, type: string): boolean {
  const declared = memberOf(schema, "type");
  const types = declared?.is === "array" ? declared.items : declared === undefined ? [] : [declared];
  return types.some((one) => one.is === "string" && one.value === type);
}

/** Each thing once, in the order in which it was met. */
function foundIn(places: readonly Place[]): string {
  return [...new Set(places.map(({ found }) => found))].slice(0, 12).join(", ");
}
