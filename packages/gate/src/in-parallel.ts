/** Calls `use` for each item, never for more than `most` at a time. Resolves to the results in the order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  most: number,
  use: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = new Array(items.length);
  const left = items.entries();
  const worker = async () => {
    for (const [index, item] of left) results[index] = await use(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}
