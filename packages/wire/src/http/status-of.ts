/** The HTTP status that goes with an error of the guard's own (Streamable HTTP, 2026-07-28). */
export function statusOf(code: number, otherwise = 200): number {
  return statuses.get(code) ?? otherwise;
}

const statuses: ReadonlyMap<number, number> = new Map([
  [-32700, 400],
  [-32600, 400],
  [-32601, 404],
  [-32020, 400],
  [-32022, 400],
]);
