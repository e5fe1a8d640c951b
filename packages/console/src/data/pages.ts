/**
 * A list of which the first page was asked for again: its items as they are now, then what was loaded before and is not among
 * them. The list is ordered newest first, so new items come first.
 */
export function withFirstPage<T>(first: readonly T[], loaded: readonly T[], idOf: (item: T) => string): readonly T[] {
  if (loaded.length === 0) return first;
  const known = new Set(first.map(idOf));
  return [...first, ...loaded.filter((item) => !known.has(idOf(item)))];
}
