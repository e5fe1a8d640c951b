/**
 * Does something with each value, so many at a time.
 * @returns once all are done: what became of each, in their order, as promises that are settled
 */
export async function inPool<T, R>(
  values: readonly T[],
  atOnce: number,
  act: (value: T, index: number) => Promise<R>,
): Promise<readonly Promise<R>[]> {
  const results: Promise<R>[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < values.length) {
      const place = next;
      next += 1;
      const result = act(values[place] as T, place);
      results[place] = result;
      // Whoever reads the results hears of it.
      await result.catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}
