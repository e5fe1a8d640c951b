import { untilWritten } from '@parcelway/kernel/optimistic-write';
import { type Collection, type Key, keyOf } from './collection.ts';
import type { Store, Write } from './store.ts';

/**
 * Inserts or updates documents. Decides again if another process changed one meanwhile.
 * @param decide returns the document from the stored one, or undefined to leave it unchanged. Missing fields keep their values. It must have no effects:
 * it may run several times
 * @returns the decided documents, in the order of the keys
 * @throws AppError 50301
 */
export async function upsert<T extends object>(
  store: Store,
  collection: Collection<T>,
  keys: readonly Key[],
  decide: (before: T | undefined, place: number) => T | undefined,
): Promise<readonly (T | undefined)[]> {
  return untilWritten(async () => {
    const { result, outcomes } = await store.change([{ in: collection, keys }], (known) => {
      const writes: Write[] = [];
      const decided = keys.map((key, place) => {
        const stored = known.get(collection, key);
        const value = decide(stored?.value, place);
        if (value === undefined) return undefined;
        const set = Object.fromEntries(Object.entries(value).filter(([field]) => !collection.key.includes(field)));
        writes.push((stored === undefined ? { in: collection, insert: value } : { in: collection, patch: stored, set }) as Write);
        return value;
      });
      return { writes, result: decided };
    });
    // Another process has made one at the same moment.
    return outcomes.every(({ kind }) => kind === 'written') ? result : undefined;
  });
}

/** Stores a document unless the stored one has the same or a higher `version`. So the newest wins, in whatever order updates arrive. */
export async function keepNewer<T extends { readonly version: number }>(store: Store, collection: Collection<T>, value: T): Promise<void> {
  await upsert(store, collection, [keyOf(collection, value)], (before) =>
    before !== undefined && before.version >= value.version ? undefined : value,
  );
}
