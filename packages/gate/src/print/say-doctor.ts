import type { DoctorReport } from "../commands/doctor.ts";
import type { Fact } from "../commands/fact.ts";
import { paint, type View } from "./view.ts";

/** One line for each fact, and below it what a server wrote. */
export function sayDoctor({ facts }: DoctorReport, view: View): string {
  const width = Math.max(...facts.map(({ about }) => about.length));
  return facts.map((fact) => sayFact(fact, width, view)).join("\n");
}

function sayFact({ is, about, text, stderr = [] }: Fact, width: number, view: View): string {
  const colour = is === "todo" ? "yellow" : "dim";
  const mark = paint(view, colour, (is === "well" ? "ok" : is).padEnd(4));
  const lead = " ".repeat(width + 8);
  // Each line was made visible where it was read.
  return [`${mark}  ${about.padEnd(width)}  ${text}`, ...stderr.map((line) => `${lead}${line}`)].join("\n");
}
