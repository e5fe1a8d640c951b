import type { Collection, Key } from '@parcelway/store/collection';
import type { Store, Write } from '@parcelway/store/store';

interface Used {
  readonly lastUsedAt: number | null;
}

/** Documents of one write. */
const AT_ONCE = 500;
/** Nobody waits for it. */
const IN_COMPANY = { deferMs: 25 } as const;

/** Notes when documents were last used; never moves one backwards. @param uses value of the key → epoch milliseconds */
export async function recordUse<T extends Used>(store: Store, collection: Collection<T>, uses: ReadonlyMap<string, number>): Promise<void> {
  const all = [...uses];
  for (let first = 0; first < all.length; first += AT_ONCE) {
    const some = all.slice(first, first + AT_ONCE);
    const keys = some.map(([id]): Key => [id]);
    await store.change(
      [{ in: collection as Collection, keys }],
      (known) => {
        const writes = some.flatMap(([id, at]): Write<T>[] => {
          const stored = known.get(collection, [id]);
          if (stored === undefined || (stored.value.lastUsedAt ?? 0) >= at) return [];
          return [{ in: collection, patch: stored, set: { lastUsedAt: at } as Partial<T> }];
        });
        return { writes: writes as unknown as readonly Write[], result: undefined };
      },
      IN_COMPANY,
    );
  }
}
