import type { Index } from '@parcelway/store/collection';
import type { FindOptions, Store, Stored } from '@parcelway/store/store';

/** A part of a list. It may have fewer records than the limit, or none, and others follow: only `next` null is the end. */
export interface Page<T> {
  readonly records: readonly T[];
  /** For `after`. */
  readonly next: string | null;
}

/** Which part of a log is asked for. Instants are epoch milliseconds; `to` is not included. */
export type Part = Pick<FindOptions<object>, 'limit' | 'after'> & { readonly from?: number; readonly to?: number };

/** Documents that one page looks at, so that a filter that hits hardly any costs no more than that. */
const MAX_LOOKED_AT = 2000;
const AT_ONCE = 500;

/** A page of the documents that match, in the order of an index. @param matches looks at them one by one; undefined: all */
export async function readPage<T extends object>(
  store: Store,
  index: Index<T>,
  options: FindOptions<T>,
  matches: ((document: T) => boolean) | undefined,
): Promise<Page<T>> {
  const { eq, limit } = options;
  if (matches === undefined) {
    const { items, next } = await store.find(index, options);
    return { records: items.map(({ value }) => value), next };
  }
  const records: T[] = [];
  let { after } = options;
  for (let lookedAt = 0; lookedAt < MAX_LOOKED_AT; lookedAt += AT_ONCE) {
    const { items, next } = await store.find(index, { ...options, limit: AT_ONCE, after });
    const placeOf = (stored: Stored<T>) => (next === null && stored === items.at(-1) ? null : store.placeIn(index, eq.length, stored));
    for (const stored of items) {
      if (matches(stored.value)) records.push(stored.value);
      if (records.length === limit) return { records, next: placeOf(stored) };
    }
    if (next === null) return { records, next };
    after = next;
  }
  return { records, next: after ?? null };
}
