import { resolve } from "node:path";
import { readPattern } from "../packages/judge/src/pattern/read-pattern.ts";
import { adversarialTexts, type Growing } from "../packages/judge/src/under-test/adversarial-texts.ts";
import { apart } from "./look-arounds.ts";
import { patternsOf } from "./patterns-of.ts";

const patterns = patternsOf(resolve(import.meta.dirname, "../packages/judge/src"));

/** Texts that make much work for the patterns of a file of the judge, or of all of them. */
export function troublesomeTexts(file?: string): readonly Growing[] {
  return patterns
    .filter((one) => file === undefined || one.file === file)
    .flatMap(({ source }) => (source === undefined ? [] : apart(source)))
    .flatMap(({ part }) => {
      const reading = readPattern(part);
      return reading.is === "refused" ? [] : reading.parts.flatMap(({ pattern }) => adversarialTexts(pattern));
    });
}
