import { memberOf } from "@countersign/core";
import { claims, type Manifest, remainder } from "./format.ts";
import type { ObjectText } from "./json-manifest.ts";
import { entriesOf, nameIn, without } from "./said.ts";

/** An agent card of A2A. Its skills are what another agent's model reads; a signature says who wrote them, not what they say. */
export function readAgentCard({ json, text }: ObjectText): Manifest {
  const skills = memberOf(json, "skills");
  const listed = skills?.is === "array" ? entriesOf(skills, text, "id") : [];
  const said = [...claims("skill", listed), remainder(without(skills?.is === "array" ? ["skills"] : [], json, text))];
  const signed = memberOf(json, "signatures") !== undefined;
  return {
    format: "agent-card",
    name: nameIn(memberOf(json, "name"), text),
    said,
    notes: signed ? [{ code: "SIGNATURE_NOT_CHECKED" }] : [],
  };
}
