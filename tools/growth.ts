/** Processor time of so much work, in milliseconds. */
export function timeOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * What is wrong with how time grows with size, if anything is: each size is twice the one before it, and may take three times
 * as long. What is over in a moment tells nothing, and a slow moment of the machine is given two more chances.
 *
 * @param most milliseconds that the largest size may take
 */
export function growthProblem(
  sizes: readonly number[],
  work: (size: number) => () => void,
  most: number,
): string | undefined {
  let problem: string | undefined;
  for (let attempt = 0; attempt < 3; attempt++) {
    const times = sizes.map((size) => timeOf(work(size)));
    const last = times.at(-1) ?? 0;
    const jump = times
      .slice(1)
      .some((time, index) => time > moment && time > 3 * Math.max(times[index] ?? 0, moment / 4));
    if (!jump && last < most) return undefined;
    problem = sizes.map((size, index) => `${size}: ${times[index]?.toFixed(0)} ms`).join(", ");
  }
  return problem;
}

const moment = 60;
