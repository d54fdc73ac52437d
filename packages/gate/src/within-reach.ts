import { addressKey, type RawDefinition, type Ruling } from "@countersign/core";

interface Ruled {
  readonly definition: Pick<RawDefinition, "address">;
  readonly ruling: Ruling;
}

/**
 * Leaves out the standing text that nobody can ask for: what it stands behind is not offered any more, or was decided
 * against. What is bound stays. Behind a template there may be anything.
 */
export function withinReach<T extends Ruled>(stood: readonly T[]): readonly T[] {
  const handles = new Set<string>();
  let templates = false;
  for (const { definition, ruling } of stood) {
    if (ruling.reasons.some(({ code }) => code === "REJECTED" || code === "REVOKED")) continue;
    handles.add(addressKey(definition.address));
    templates ||= definition.address.kind === "template";
  }
  return stood.filter(({ definition: { address }, ruling }) => {
    if ((address.kind !== "body" && address.kind !== "view") || ruling.verdict === "bind") return true;
    const [method = "", ...rest] = address.name.split(" ");
    const name = rest.join(" ");
    if (method === "prompts/get") return handles.has(addressKey({ kind: "prompt", name }));
    return templates || handles.has(addressKey({ kind: "resource", name }));
  });
}
