import { untilWritten } from '@parcelway/kernel/optimistic-write';
import { type Collection, type Key, keyOf } from './collection.ts';
import type { Store, Write } from './store.ts';

/**
 * Makes documents, or changes those that are there, and decides again when another process was quicker.
 * @param decide the document as it is to be, from the one that is there; undefined leaves it alone. Fields that it lacks stay as they are. It has no effects:
 * it may run several times
 * @returns what was decided, by the places of the keys
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

/** Keeps a document unless the one with its key has as high a `version`: of two pieces of news the later one holds, in whatever order they come. */
export async function keepNewer<T extends { readonly version: number }>(store: Store, collection: Collection<T>, value: T): Promise<void> {
  await upsert(store, collection, [keyOf(collection, value)], (before) =>
    before !== undefined && before.version >= value.version ? undefined : value,
  );
}
