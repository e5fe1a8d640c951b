import { AppError } from './app-error.ts';

/** True when a dependency is out, which concerns all items alike. */
export const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.code === '50301';

/**
 * Works on all items together or, when that fails, on each by itself, so that a bad one does not stop the others.
 * @param work may be repeated
 * @param bad learns of each item that fails alone
 * @returns what the work returned
 * @throws AppError 50301 of the work
 */
export async function togetherOrEach<T, R>(
  items: readonly T[],
  work: (items: readonly T[]) => Promise<readonly R[]>,
  bad: (item: T, error: unknown) => void,
): Promise<readonly R[]> {
  const [first] = items;
  if (first === undefined) return [];
  try {
    return await work(items);
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (items.length === 1) {
      bad(first, error);
      return [];
    }
  }
  const results: R[] = [];
  for (const item of items) results.push(...(await togetherOrEach([item], work, bad)));
  return results;
}
