import { untilWritten } from '@parcelway/kernel/optimistic-write';
import { type Collection, keyOf } from '../collection.ts';
import type { Store, Write } from '../store.ts';

/** Keeps a document unless the one with its key has as high a `version`: of two pieces of news the later one holds, in whatever order they come. */
export async function keepNewer<T extends { readonly version: number }>(store: Store, collection: Collection<T>, value: T): Promise<void> {
  const key = keyOf(collection, value);
  const fields = Object.fromEntries(Object.entries(value).filter(([field]) => !collection.key.includes(field)));
  await untilWritten(async () => {
    const { outcomes } = await store.change([{ in: collection, keys: [key] }], (known) => {
      const stored = known.get(collection, key);
      if (stored !== undefined && stored.value.version >= value.version) return { writes: [], result: undefined };
      const write = stored ? { in: collection, patch: stored, set: fields } : { in: collection, insert: value };
      return { writes: [write as Write], result: undefined };
    });
    // Another process has made the document at the same moment.
    return outcomes.every(({ kind }) => kind === 'written') || undefined;
  });
}
