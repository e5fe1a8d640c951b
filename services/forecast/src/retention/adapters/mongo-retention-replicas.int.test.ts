import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ManualClock, systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { createWorkLease } from '@parcelway/store/shared/work-leases';
import { noTelemetry } from '@parcelway/telemetry/telemetry';
import { forecastCollections, openMongoStores } from '../../adapters/mongo-stores.ts';
import { contentOf } from '../../testing/samples.ts';
import { actionsOn, shownIdOf } from '../../testing/store-under-test.ts';
import { DAY_MS } from '../domain/retention.ts';
import { createExpiryTimer } from '../expiry-timer.ts';
import { retentionLeases } from './open-retention.ts';

const NOW = Date.UTC(2026, 10, 26, 12);

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(forecastCollections);
});
afterAll(() => opened.close());

test('replicas do not archive the same forecasts, nor sweep the same archive', async () => {
  const { store } = openMongoStores(opened.database, shownIdOf, systemClock);
  const { insert, change } = actionsOn(() => store);
  const numbers = Array.from({ length: 120 }, (_, index) => `A${index}`);
  for (const no of numbers) {
    await insert({ no, content: JSON.stringify(contentOf(no)) });
    await change(no, { status: 6, updatedAt: NOW - 10 * DAY_MS });
  }
  const archived: string[] = [];
  let sweeps = 0;
  const databases = [opened.database, await opened.second(), await opened.second()];
  const timers = databases.map((db) => {
    const replica = openMongoStores(db, shownIdOf, systemClock);
    return createExpiryTimer({
      ...replica,
      reader: replica.store,
      leases: retentionLeases((name) => createWorkLease(createMongoStore(db), name)),
      installation: { forecastMs: 7 * DAY_MS, fileMs: undefined },
      environment: 'sandbox',
      clock: new ManualClock(NOW),
      logger: silentLogger,
      metrics: noTelemetry.metrics,
      notify: () => undefined,
      isErased: () => false,
      archive: async (_tenantId, forecasts) => void archived.push(...forecasts.map(({ record }) => record.forecastNo)),
      async sweepArchive() {
        sweeps += 1;
        return 0;
      },
    });
  });
  for (const timer of timers) timer.start();
  await until(async () => (await store.countOf('tnt_a', 6, 1)) === 0, { within: 30_000, what: 'all forecasts to be deleted' });
  await Promise.all(timers.map((timer) => timer.stop()));
  expect([...archived].sort()).toEqual([...numbers].sort());
  expect(sweeps).toBe(1);
});
