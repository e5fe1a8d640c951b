import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { forecastCollections, openMongoStores } from '../../adapters/mongo-stores.ts';
import { actionsOn, message, shownIdOf } from '../../testing/store-under-test.ts';
import { describeForecastExpiry } from '../forecast-expiry.conformance.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(forecastCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeForecastExpiry('MongoDB', async () => {
  const stores = openMongoStores(opened.database, shownIdOf, systemClock);
  const outboxes = [stores.outbox, stores.expiryOutbox];
  return {
    ...stores,
    published: async () => (await Promise.all(outboxes.map((outbox) => outbox.lease(1000)))).flat().map(({ value }) => value),
    async publish() {
      for (const outbox of outboxes) await outbox.remove((await outbox.lease(1000)).map(({ id }) => id));
    },
    close: () => opened.clear(),
  };
});

test('what waits to be published keeps a forecast, and a tenant whose messages wait too long has to wait', async () => {
  const { store, expiry, expiryOutbox } = openMongoStores(opened.database, shownIdOf, systemClock);
  const { insert, change } = actionsOn(() => store);
  await insert({ no: 'A1' }, ['not published']);
  await change('A1', { status: 6, updatedAt: 5 });
  const [forecast] = await expiry.ended('tnt_a', 6, undefined, 10);
  if (forecast === undefined) throw new Error('nothing has ended');
  const expired = [{ forecast, message: message('expired') }];
  expect(await expiry.expire('tnt_a', expired)).toEqual([]);
  const many = Array.from({ length: 1001 }, (_, index) => message(`files ${index}`));
  await expiry.expireFiles('tnt_a', forecast, many);
  await expect(expiry.expire('tnt_a', expired)).rejects.toMatchObject({ code: '50301' });
  await expect(expiry.expireFiles('tnt_a', forecast, [])).rejects.toMatchObject({ code: '50301' });
  await expiryOutbox.remove((await expiryOutbox.lease(2000)).map(({ id }) => id));
  await expect(expiry.expire('tnt_a', expired)).resolves.toEqual([]);
  await opened.clear();
});

test('none of the operations goes through a whole collection, and what has ended is found by its index alone', async () => {
  const { store, expiry } = openMongoStores(opened.database, shownIdOf, systemClock);
  const { insert, change } = actionsOn(() => store);
  for (let index = 0; index < 60; index += 1) {
    await insert({ no: `L${index}` });
    if (index % 20 === 0) await change(`L${index}`, { status: 7, updatedAt: index });
  }
  expect(await expiry.ended('tnt_a', 1000, undefined, 10)).toHaveLength(3);
  expect(await expiry.nextTenant('')).toBeDefined();
  expect(await collectionScansOf(opened.database)).toEqual([]);
  const profile = opened.database.connection.db?.collection('system.profile');
  expect(await profile?.find({ hasSortStage: true }).toArray()).toEqual([]);
  const reads = (await profile?.find({ 'command.hint': 'ended' }).toArray()) ?? [];
  expect(reads.length).toBeGreaterThan(10);
  for (const read of reads) {
    expect(read['planSummary']).toBe('IXSCAN { tenant_id: 1, updated_at: 1, forecast_id: 1 }');
    expect(read['docsExamined']).toBeLessThanOrEqual(read['nreturned'] + 1);
  }
});
