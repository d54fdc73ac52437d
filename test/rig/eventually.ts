/** Asks again until the answer is yes. Returns the milliseconds that it took, or infinity where it did not come in time. */
export async function eventually(milliseconds: number, ask: () => boolean | Promise<boolean>): Promise<number> {
  const start = performance.now();
  for (;;) {
    if (await ask()) return performance.now() - start;
    if (performance.now() - start > milliseconds) return Number.POSITIVE_INFINITY;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
