import { createKeySession, pageClient } from '@parcelway/page/parts/session';
import { PlatformClock } from '../api/connection.ts';
import { readWarehouse } from '../api/warehouse.ts';
import { openIndexedDbStore } from '../queue/indexed-db-store.ts';
import { ReportQueue } from '../queue/queued-report.ts';

/** Unsent reports stay on the device when a session ends. */
export const { SessionProvider, useSession } = createKeySession(async (key, onRefused) => {
  const clock = new PlatformClock();
  const client = pageClient({ key, onRefused, fetch: async (url, init) => clock.note(await fetch(url, { ...init, cache: 'no-store' })) });
  const warehouse = await readWarehouse(client);
  const queue = await ReportQueue.open({
    store: await openIndexedDbStore(indexedDB),
    environment: client.environment,
    warehouseCode: warehouse.code,
    newId: () => `station-${crypto.randomUUID()}`,
    now: Date.now,
  });
  // Asks the browser to keep unsent reports; the queue also works without that.
  void navigator.storage?.persist?.();
  return { client, warehouse, queue, clock };
});

export type SignedIn = NonNullable<ReturnType<typeof useSession>['signedIn']>;
