import type { Address } from "./address.ts";
import { type Digest, digestOf } from "./digest.ts";
import { driftOf } from "./drift.ts";
import { DescriptionMutationError, ManifestBindingError } from "./errors.ts";
import { type Json, readJson } from "./json.ts";
import { faultsOf } from "./shape.ts";
import { visibleStart } from "./visible.ts";

/**
 * Compares a definition with the approved text of it, over everything that a model could read.
 *
 * @param received the definition's JSON as it crossed the wire; a value that went through `JSON.parse` has lost what this looks for
 * @param approved the JSON text that was approved
 * @returns the digest of both
 * @throws DescriptionMutationError where they differ; ManifestBindingError where one of them cannot be read
 */
export function verifyDefinition(address: Address, received: string, approved: string): Digest {
  const now = readDefinition(address, received);
  const then = readDefinition(address, approved, "approved");
  const drift = driftOf(address.kind, then, now);
  const digest = digestOf(address.kind, now);
  if (drift.length > 0 || digest !== digestOf(address.kind, then)) throw new DescriptionMutationError(address, drift);
  return digest;
}

/**
 * The JSON of one definition that may be judged.
 *
 * @param which the text that `text` is, for the message
 * @throws ManifestBindingError `NOT_JSON`, or `MALFORMED` with all faults at once
 */
export function readDefinition(address: Address, text: string, which: "received" | "approved" = "received"): Json {
  const what = `the ${which} text of ${address.kind} "${visibleStart(address.name)}" of ${address.server}`;
  const next =
    which === "received"
      ? "leave it out, and tell the server's author"
      : "the stored copy is damaged, so approve it again";
  const reading = readJson(text);
  if (reading.is === "refused") {
    const { code, at } = reading.refusal;
    throw new ManifestBindingError("NOT_JSON", address, [], `Cannot read ${what}: ${code} at offset ${at}; ${next}`);
  }
  const faults = faultsOf(address.kind, reading.json);
  if (faults.length > 0) {
    const first = faults.slice(0, 3).map(({ code, at }) => `${code} at "${visibleStart(at)}"`);
    const where = [...first, ...(faults.length > 3 ? [`${faults.length - 3} more`] : [])].join(", ");
    const reasons = [{ gate: "schema", code: "MALFORMED", faults }] as const;
    throw new ManifestBindingError("MALFORMED", address, reasons, `Cannot bind ${what}: ${where}; ${next}`);
  }
  return reading.json;
}
