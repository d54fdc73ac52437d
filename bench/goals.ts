import type { Calls, Memory } from "./calls.ts";
import type { HttpFigure } from "./http.ts";
import type { Arm } from "./http-stage.ts";
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

/** Throughput, over the byte proxy's; and beside the peers that were measured, each with the same kind of server. */
export function httpGoalsOf(figures: readonly HttpFigure[]): readonly Goal[] {
  const of = (arm: Arm) => figures.find((figure) => figure.arm === arm)?.ratio.throughput;
  const atLeast = (what: string, figure: number | undefined, limit: number | undefined): readonly Goal[] =>
    figure === undefined || limit === undefined
      ? []
      : [{ what, goal: `>= ${limit.toFixed(2)}`, figure, met: figure >= limit }];
  return [
    ...atLeast("calls/s over the byte proxy's", of("countersign"), 0.8),
    ...atLeast("calls/s over the byte proxy's, sdk", of("countersign, sdk"), 0.8),
    ...(["mcp-proxy, stdio", "supergateway, stdio"] as const).flatMap((peer) =>
      atLeast(`calls/s, stdio, ahead of ${peer}`, of("countersign, stdio"), of(peer)),
    ),
  ];
}
