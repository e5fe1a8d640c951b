import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Store, Write } from '@parcelway/store/store';
import type { ImportStops } from '../ports.ts';
import { importStops } from './import-collections.ts';

/** Keeps what has stopped imports lately. */
export function createImportStops(store: Store): ImportStops {
  return {
    async note({ tenantId, keyId, at }, now) {
      const key = [tenantId, keyId ?? ''] as const;
      const write = () =>
        store.change([{ in: importStops, keys: [key] }], (known) => {
          const stored = known.get(importStops, key);
          const noted = { at: Math.max(at, stored?.value.at ?? 0), notedAt: Math.max(now, stored?.value.notedAt ?? 0) };
          const made: Write<NonNullable<(typeof importStops)['document']>> = stored
            ? { in: importStops, patch: stored, set: noted }
            : { in: importStops, insert: { tenantId, keyId: key[1], ...noted } };
          return { writes: [made] as readonly Write[], result: undefined };
        });
      // Another process may have noted the first one at the same moment.
      await untilWritten(async () => (await write()).outcomes.every(({ kind }) => kind === 'written') || undefined);
    },

    async of(tenantId, keyId) {
      const found = await store.read(importStops, [
        [tenantId, ''],
        [tenantId, keyId],
      ]);
      return found.map(({ value }) => ({ tenantId, keyId: value.keyId || null, at: value.at }));
    },

    forget: (before, limit) => store.deleteRange(importStops.by.noted, { eq: [], to: before, limit }),
  };
}
