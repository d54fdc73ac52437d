import { memberOf } from "@countersign/core";
import { type Manifest, remainder } from "./format.ts";
import type { ObjectText } from "./json-manifest.ts";
import { nameIn } from "./said.ts";

/** An entry of the MCP registry, in either spelling of its keys. It says how to reach a server, and names no tools. */
export function readServerJson({ json, text }: ObjectText): Manifest {
  return { format: "server-json", name: nameIn(memberOf(json, "name"), text), said: [remainder(text)], notes: [] };
}
