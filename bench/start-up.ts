import { median } from "./figures.ts";
import { type Arm, arms, type Server, type Stage } from "./stage.ts";

/** Milliseconds from starting the process. */
export interface StartUp {
  readonly server: Server;
  readonly until: "initialize" | "tools/list";
  readonly rounds: number;
  /** The median of each arm. */
  readonly arms: ReadonlyMap<Arm, number>;
  /** Medians of the differences within one round, which a machine that grows busy does not move as it moves a median. */
  readonly added: number;
  readonly byConfig: number;
  readonly byLoadCheckpoint: number;
}

/** Starts all arms in turn, `rounds` times or until the deadline. @param deadline of `performance.now()` */
export async function measureStartUp(
  stage: Stage,
  server: Server,
  rounds: number,
  deadline: number,
): Promise<readonly StartUp[]> {
  const initialized = new Map<Arm, number[]>(arms.map((arm) => [arm, []]));
  const listed = new Map<Arm, number[]>(arms.map((arm) => [arm, []]));
  let done = 0;
  for (; done < rounds && (done < 3 || performance.now() < deadline); done++) {
    for (const arm of arms) {
      const start = performance.now();
      const connection = stage.connect(server, arm);
      await connection.initialize();
      initialized.get(arm)?.push(performance.now() - start);
      await connection.ask("tools/list", "{}");
      listed.get(arm)?.push(performance.now() - start);
      await connection.close();
    }
  }
  return [
    { server, until: "initialize", rounds: done, ...summaryOf(initialized) },
    { server, until: "tools/list", rounds: done, ...summaryOf(listed) },
  ];
}

function summaryOf(times: ReadonlyMap<Arm, readonly number[]>) {
  const between = (arm: Arm, other: Arm) => {
    const others = times.get(other) ?? [];
    return median((times.get(arm) ?? []).map((time, round) => time - (others[round] ?? Number.NaN)));
  };
  return {
    arms: new Map([...times].map(([arm, values]) => [arm, median(values)])),
    added: between("countersign", "relay"),
    byConfig: between("with config", "countersign"),
    byLoadCheckpoint: between("with config", "without load checkpoint"),
  };
}
