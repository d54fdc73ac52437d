import { type Json, visible } from "@countersign/core";
import { narrowFaults } from "@countersign/judge/call";
import { GateError } from "./gate-error.ts";

/**
 * Whether every `narrow` of a config says what it means. A misspelt keyword would narrow nothing.
 *
 * @throws GateError that names all that is wrong
 */
export function checkNarrows(narrows: ReadonlyMap<string, Json>, path: string): void {
  const problems = [...narrows].flatMap(([key, narrow]) =>
    narrowFaults(narrow).map(
      ({ at, because }) => `\n  ${visible(key)}: narrow: ${because} at ${at === "" ? "the whole" : visible(at)}`,
    ),
  );
  if (problems.length === 0) return;
  throw new GateError(
    "CONFIG",
    `Cannot use config "${visible(path)}"; nothing is allowed until it is mended:${problems.join("")}`,
  );
}
