import { isAsSent, type RawDefinition, readJson, render } from "@countersign/core";
import type { Stood } from "./standing.ts";

/** A definition as the model would be given it if it were approved now: after its plan, where that fits. */
export function readAs({ definition, plan }: Stood): RawDefinition {
  const { address, text, received } = definition;
  if (address.kind === "launch" || isAsSent(plan)) return definition;
  const rendered = render(address.kind, text, received, plan);
  if (rendered.is === "unfit") return definition;
  const reading = readJson(rendered.rendering.text);
  if (reading.is === "refused") throw new RangeError(`a rendering is no JSON: ${reading.refusal.code}`);
  return { address, text: rendered.rendering.text, json: reading.json, received: rendered.rendering.digest };
}
