import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { createWorkLease } from '@parcelway/store/shared/work-leases';
import { noTelemetry } from '@parcelway/telemetry/telemetry';
import { createForecastStore } from '../../store/forecast-store.ts';
import { collections, takeWaiting } from '../../testing/mongo-replica.ts';
import { contentOf } from '../../testing/samples.ts';
import { actionsOn, message } from '../../testing/store-under-test.ts';
import { DAY_MS } from '../domain/retention.ts';
import { expiryNotes } from '../expiry-collections.ts';
import { createExpiryTimer } from '../expiry-timer.ts';
import { createForecastExpiry } from '../forecast-expiry.ts';
import { createTenantRetentions } from '../tenant-retention-store.ts';
import { retentionLeases } from './open-retention.ts';

const NOW = Date.UTC(2026, 10, 26, 12);

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(collections);
});
afterAll(() => opened.close());
afterEach(() => opened.clear());

function storesOver(database: MongoDatabase) {
  const documents = createMongoStore(database);
  return {
    documents,
    store: createForecastStore(documents, () => database.check()),
    expiry: createForecastExpiry(documents, () => NOW),
    retentions: createTenantRetentions(documents),
  };
}

test('replicas do not archive the same forecasts, nor sweep the same archive', async () => {
  const { store } = storesOver(opened.database);
  const { insert, change } = actionsOn(() => store);
  const numbers = Array.from({ length: 120 }, (_, index) => `A${index}`);
  for (const no of numbers) {
    await insert({ no, content: contentOf(no) });
    await change(no, { status: 6, updatedAt: NOW - 10 * DAY_MS });
  }
  const archived: string[] = [];
  let sweeps = 0;
  const databases = [opened.database, await opened.second(), await opened.second()];
  const timers = databases.map((db) => {
    const replica = storesOver(db);
    return createExpiryTimer({
      ...replica,
      reader: replica.store,
      leases: retentionLeases((name) => createWorkLease(replica.documents, name)),
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

test('a forecast whose messages wait is kept, and what carries those of the deleted goes once they are published', async () => {
  const { documents, store, expiry } = storesOver(opened.database);
  const { insert, change } = actionsOn(() => store);
  for (const no of ['A1', 'A2']) {
    await insert({ no }, no === 'A1' ? ['not published'] : []);
    await change(no, { status: 6, updatedAt: 5 });
  }
  const ended = await expiry.ended('tnt_a', 6, undefined, 10);
  const expired = ended.map((forecast) => ({ forecast, message: message(`expired ${forecast.forecastNo}`) }));
  expect((await expiry.expire('tnt_a', expired)).map(({ forecastNo }) => forecastNo)).toEqual(['A2']);
  const old = { eq: [], to: NOW + 1, limit: 10 };
  expect(await documents.deleteRange(expiryNotes.by.age, old)).toBe(0);
  expect((await takeWaiting(opened.database)).map(({ value }) => value)).toEqual(['not published', 'expired A2']);
  expect(await documents.deleteRange(expiryNotes.by.age, old)).toBe(1);
  expect(await expiry.expire('tnt_a', expired)).toHaveLength(1);
});
