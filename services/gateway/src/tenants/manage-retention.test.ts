import { beforeEach, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { createSqliteStores } from '../adapters/sqlite-stores.ts';
import { changeRetention, type ManageRetentionOptions, readRetention } from './manage-retention.ts';

const clock = new ManualClock(1_000_000);
let options: ManageRetentionOptions;

beforeEach(async () => {
  const stores = createSqliteStores(new SqliteDatabase(':memory:'), clock);
  await stores.tenants.add({ id: 'tnt_a', name: 'Acme', status: 'active', createdAt: 1 });
  options = { environment: 'sandbox', stores, clock };
});

test('a retention is changed field by field', async () => {
  await changeRetention(options, 'tnt_a', { forecastDays: 400 });
  expect(await changeRetention(options, 'tnt_a', { fileDays: 90 })).toEqual({
    tenantId: 'tnt_a',
    version: 2,
    forecastDays: 400,
    fileDays: 90,
  });
  expect(await changeRetention(options, 'tnt_a', { fileDays: 90 })).toMatchObject({ version: 2 });
  expect(await readRetention(options, 'tnt_a')).toMatchObject({ version: 2 });
  await expect(changeRetention(options, 'tnt_x', {})).rejects.toMatchObject({ code: '40403' });
});

test('a change that another one overtakes is retried on its result', async () => {
  const { retentions } = options.stores;
  let lost = 1;
  const racing: ManageRetentionOptions = {
    ...options,
    stores: {
      retentions: {
        find: (id) => retentions.find(id),
        async change(change) {
          if (lost === 0) return retentions.change(change);
          lost -= 1;
          return false;
        },
      },
    },
  };
  expect(await changeRetention(racing, 'tnt_a', { forecastDays: 7 })).toMatchObject({ version: 1 });
});
