import { type Json, memberOf } from "@countersign/core";

/**
 * What a message says in the headers beside it, since 2026-07-28 (Streamable HTTP, "Standard request headers" and "Custom
 * headers from tool parameters"): who routes by headers must not be told another thing than who reads the body.
 */
export interface HeaderParam {
  /** As in `Mcp-Param-Region`, without the prefix. */
  readonly name: string;
  /** Keys from the arguments down to the value. */
  readonly path: readonly string[];
  readonly numeric: boolean;
}

/** The parameters that a tool wants to have in headers: what it declares where nothing but `properties` leads to it. */
export function headerParamsIn(inputSchema: Json | undefined): readonly HeaderParam[] {
  const found: HeaderParam[] = [];
  const visit = (schema: Json | undefined, path: readonly string[]): void => {
    if (schema?.is !== "object" || path.length > deepest) return;
    const name = memberOf(schema, "x-mcp-header");
    const type = memberOf(schema, "type");
    if (path.length > 0 && name?.is === "string" && token.test(name.value) && type?.is === "string") {
      if (types.has(type.value)) {
        found.push({ name: name.value, path, numeric: type.value === "integer" || type.value === "number" });
      }
    }
    const properties = memberOf(schema, "properties");
    if (properties?.is !== "object") return;
    for (const { key, value } of properties.members) visit(value, [...path, key]);
  };
  visit(inputSchema, []);
  return found;
}

const deepest = 32;
/** RFC 9110 §5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const types: ReadonlySet<string> = new Set(["string", "integer", "boolean", "number"]);

/** The headers that a call has to carry for its arguments, in the order of the schema. */
export function paramHeaders(params: readonly HeaderParam[], args: Json | undefined): readonly [string, string][] {
  return params.flatMap(({ name, path }): [string, string][] => {
    const value = spelledAt(args, path);
    return value === undefined ? [] : [[`Mcp-Param-${name}`, encodeHeader(value)]];
  });
}

/** The first header that does not say what the arguments say; undefined where all do. */
export function paramMismatch(
  params: readonly HeaderParam[],
  args: Json | undefined,
  header: (name: string) => string | undefined,
): string | undefined {
  for (const { name, path, numeric } of params) {
    const value = spelledAt(args, path);
    // What the arguments leave out is not expected in a header, and not looked at there.
    if (value === undefined) continue;
    const said = header(`mcp-param-${name.toLowerCase()}`);
    const decoded = said === undefined ? undefined : decodeHeader(said);
    const alike = numeric && decoded !== undefined && decimal.test(decoded) && decimal.test(value);
    if (decoded !== value && !(alike && Number(decoded) === Number(value))) return `Mcp-Param-${name}`;
  }
  return undefined;
}

const decimal = /^-?\d{1,300}(?:\.\d{1,300})?$/;

/** What `Mcp-Name` has to say beside a request; undefined where it has to say nothing. */
export function nameOf(method: string, params: Json | undefined): string | undefined {
  const member = named.get(method);
  const value = member === undefined ? undefined : memberOf(params, member);
  return value?.is === "string" ? value.value : undefined;
}

const named: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

function spelledAt(args: Json | undefined, path: readonly string[]): string | undefined {
  let value = args;
  for (const key of path) value = memberOf(value, key);
  switch (value?.is) {
    case "string":
      return value.value;
    case "boolean":
      return String(value.value);
    case "number": {
      const number = Number(value.token);
      if (!Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number))) return undefined;
      return String(number);
    }
    default:
      return undefined;
  }
}

/** A value as a field of a header: as it is, or in Base64 where it would not arrive as it is. */
export function encodeHeader(value: string): string {
  const plain = /^[\t\x20-\x7e]+$/.test(value) && value === value.trim() && !sentinel.test(value);
  return plain ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}

/** Undefined where it claims to be Base64, and is none of UTF-8. */
export function decodeHeader(field: string): string | undefined {
  const encoded = sentinel.exec(field)?.[1];
  if (encoded === undefined) return field;
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.toString("base64") !== encoded) return undefined;
  const text = bytes.toString("utf8");
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

const sentinel = /^=\?base64\?([^?]*)\?=$/;
