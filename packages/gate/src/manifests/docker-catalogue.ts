import { memberOf } from "@countersign/core";
import { claims, type Manifest, remainder } from "./format.ts";
import type { ObjectText } from "./json-manifest.ts";
import { entriesOf, type JsonText, nameIn } from "./said.ts";

/** A folder of Docker's catalogue: `server.yaml`, and beside it `tools.json`, a list. */
export function readDockerCatalogue(server: ObjectText, tools: JsonText | undefined): Manifest {
  const listed = tools === undefined ? [] : entriesOf(tools.json, tools.text, "name");
  const name = nameIn(memberOf(server.json, "name"), server.text);
  return { format: "docker-catalogue", name, said: [...claims("tool", listed), remainder(server.text)], notes: [] };
}
