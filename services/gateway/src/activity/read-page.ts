import type { ListPosition } from '@parcelway/kernel/list-position';

/** Which records of a list are asked for. */
export interface PageRequest<T> {
  /** Which of them; looked at one by one. Undefined: all. */
  readonly matches?: ((record: T) => boolean) | undefined;
  readonly positionOf: (record: T) => ListPosition;
  readonly limit: number;
  readonly after: ListPosition | undefined;
}

/** A part of a list. It may have fewer records than the limit, or none, and others follow: only `next` null is the end. */
export interface Page<T> {
  readonly records: readonly T[];
  readonly next: ListPosition | null;
}

/** Records that one page looks at, so that a filter that hits hardly any costs no more than that. */
const MAX_LOOKED_AT = 2000;
const AT_ONCE = 500;

/** A page of a list. @param list gives the records behind a position, in order */
export async function readPage<T>(
  list: (limit: number, after: ListPosition | undefined) => Promise<readonly T[]>,
  request: PageRequest<T>,
): Promise<Page<T>> {
  const { matches, positionOf, limit } = request;
  const records: T[] = [];
  let { after } = request;
  const atOnce = matches === undefined ? limit + 1 : AT_ONCE;
  for (let lookedAt = 0; lookedAt < MAX_LOOKED_AT; ) {
    const found = await list(atOnce, after);
    for (const record of found) {
      after = positionOf(record);
      if (matches?.(record) ?? true) records.push(record);
      const isEnd = found.length < atOnce && record === found.at(-1);
      if (records.length === limit) return { records, next: isEnd ? null : after };
    }
    if (found.length < atOnce) return { records, next: null };
    lookedAt += found.length;
  }
  return { records, next: after ?? null };
}
