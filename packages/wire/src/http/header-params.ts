import { type Json, memberOf } from "@countersign/core";
import { headerText, headerValue, isHeaderName } from "./header-value.ts";

/** An argument of a tool that is repeated in a header: `Mcp-Param-<name>`, from the value at `path` in the arguments. */
export interface HeaderParam {
  readonly name: string;
  readonly path: readonly string[];
}

/**
 * Which arguments an input schema wants repeated (2026-07-28, `x-mcp-header`): strings, numbers and booleans that are reached
 * by `properties` alone. What is declared in another way is passed over, as a conforming client passes over the tool.
 */
export function headerParamsOf(inputSchema: Json | undefined): readonly HeaderParam[] {
  const found = new Map<string, HeaderParam>();
  const walk = (schema: Json | undefined, path: readonly string[]): void => {
    const properties = memberOf(schema, "properties");
    if (properties?.is !== "object") return;
    for (const { key, value } of properties.members) {
      const to = [...path, key];
      const declared = memberOf(value, "x-mcp-header");
      const type = memberOf(value, "type");
      if (declared?.is === "string" && isHeaderName(declared.value) && type?.is === "string" && types.has(type.value))
        found.set(declared.value.toLowerCase(), { name: declared.value, path: to });
      walk(value, to);
    }
  };
  walk(inputSchema, []);
  return [...found.values()];
}

/** The headers of one call. An argument that is null or not there has none. */
export function paramHeaders(params: readonly HeaderParam[], args: Json | undefined): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const { name, path } of params) {
    const value = path.reduce<Json | undefined>((json, key) => memberOf(json, key), args);
    const text = spelled(value);
    if (text !== undefined) headers.set(`mcp-param-${name.toLowerCase()}`, headerValue(text));
  }
  return headers;
}

/**
 * The first header that does not say what the arguments of a call say; undefined where all do.
 *
 * @param header of the request that carries the call, by its lower-case name
 */
export function paramMismatch(
  params: readonly HeaderParam[],
  args: Json | undefined,
  header: (name: string) => string | undefined,
): string | undefined {
  for (const { name, path } of params) {
    const value = path.reduce<Json | undefined>((json, key) => memberOf(json, key), args);
    const text = spelled(value);
    // What the arguments leave out is not expected in a header, and not looked at there.
    if (text === undefined) continue;
    const field = header(`mcp-param-${name.toLowerCase()}`);
    const said = field === undefined ? undefined : headerText(field);
    const isSameNumber =
      value?.is === "number" && said !== undefined && decimal.test(said) && Number(said) === Number(text);
    if (said !== text && !isSameNumber) return `Mcp-Param-${name}`;
  }
  return undefined;
}

const decimal = /^-?\d{1,300}(?:\.\d{1,300})?$/;

/** As the SDK spells them: servers compare numbers as numbers, and everything else character by character. */
function spelled(value: Json | undefined): string | undefined {
  switch (value?.is) {
    case "string":
      return value.value;
    case "boolean":
      return String(value.value);
    case "number": {
      const number = Number(value.token);
      const isExact = Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
      return isExact ? String(number) : undefined;
    }
    case "null":
    case "array":
    case "object":
    case undefined:
      return undefined;
  }
}

/** The specification names no `number`, but its conformance suite has some. */
const types = new Set(["string", "integer", "number", "boolean"]);
