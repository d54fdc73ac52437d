import { type Address, type Json, memberOf, type Pointer, valueAt } from "@countersign/core";

/**
 * A text made of the structure alone: names, and what they take. Names are the server's too, but the model reads them
 * anyway; one that is no plain name is left out.
 */
export function neutralText({ kind, name }: Address, json: Json, at: Pointer): string {
  const tokens = at.split("/").slice(1);
  if (tokens.at(-1) !== "description") return ""; // a title or a comment says nothing that must be said
  const what = sortOf(kind);
  if (what === undefined) return "";
  if (tokens.length === 1) return `${labelled(what, name)}${taking(json)}.`;
  const [keyword, property] = tokens.slice(-3, -1);
  if (keyword !== "properties" || property === undefined) return "";
  const schema = valueAt(json, at.slice(0, -"/description".length) as Pointer);
  return schema?.key === undefined ? "" : `${labelled("Argument", schema.key)} (${typeOf(schema.value)}).`;
}

function sortOf(kind: Address["kind"]): string | undefined {
  switch (kind) {
    case "tool":
    case "sampled-tool":
      return "Tool";
    case "prompt":
      return "Prompt";
    case "resource":
      return "Resource";
    case "template":
      return "Resource template";
    case "skill":
      return "Skill";
    case "instructions":
    case "server":
    case "body":
    case "view":
    case "launch":
    case "claim":
      return undefined;
  }
}

function taking(json: Json): string {
  const properties = memberOf(memberOf(json, "inputSchema"), "properties");
  if (properties?.is !== "object") return "";
  const named = properties.members.filter(({ key }) => isPlain(key));
  const listed = named.slice(0, mostNamed).map(({ key, value }) => `${key} (${typeOf(value)})`);
  const more = properties.members.length - listed.length;
  if (more > 0) listed.push(`${more} more`);
  return listed.length === 0 ? "" : `: takes ${listed.join(", ")}`;
}

function labelled(what: string, name: string): string {
  return isPlain(name) ? `${what} "${name}"` : what;
}

function isPlain(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$/.test(name);
}

/** More would be no description. */
const mostNamed = 12;

function typeOf(schema: Json): string {
  const type = memberOf(schema, "type");
  return (type?.is === "string" ? types.get(type.value) : undefined) ?? "any value";
}

const types: ReadonlyMap<string, string> = new Map([
  ["string", "text"],
  ["number", "number"],
  ["integer", "whole number"],
  ["boolean", "yes or no"],
  ["array", "list"],
  ["object", "object"],
  ["null", "nothing"],
]);
