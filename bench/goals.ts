import type { Calls, Memory } from "./calls.ts";
import type { Judged } from "./judge-captures.ts";
import type { StartUp } from "./start-up.ts";

export interface Figures {
  readonly startUp: readonly StartUp[];
  readonly calls: readonly Calls[];
  readonly memory: readonly Memory[];
  readonly judging: readonly Judged[];
}

export interface Goal {
  readonly what: string;
  readonly goal: string;
  readonly figure: number;
  readonly met: boolean;
}

/** The figures that were promised, beside what was measured. */
export function goalsOf({ startUp, calls, memory, judging }: Figures): readonly Goal[] {
  const below = (what: string, figure: number, limit: number, unit: string): Goal => {
    return { what, goal: `< ${limit} ${unit}`, figure, met: figure < limit };
  };
  return [
    ...startUp.map(({ server, until, added }) => below(`start-up added, ${server}, ${until}`, added, 100, "ms")),
    ...calls
      .filter(({ calls }) => calls === "warm")
      .map(({ server, ratio }) => below(`small call p50, ${server}, over a relay`, ratio.p50, 1.3, "x")),
    ...memory.map(({ server, countersign }) => below(`resident memory, ${server}`, countersign, 80, "MB")),
    ...judging
      .filter(({ every }) => every === 1)
      .map(({ tools, judging }) => below(`cold judging of ${tools} tools`, judging, 1_000, "ms")),
  ];
}
