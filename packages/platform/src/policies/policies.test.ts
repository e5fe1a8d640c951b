import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { collection } from '@parcelway/store/collection';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import type { Store } from '@parcelway/store/store';
import Type from 'typebox';
import { cleanUpSteps } from './clean-up.ts';
import { tenantKinds } from './tenant-kinds.ts';

/* What it takes to add a collection: its declaration. */

const DAY_MS = 86_400_000;
const closed = { additionalProperties: false } as const;

const visits = collection(
  'visits',
  Type.Object({ tenantId: Type.String(), visitNo: Type.String(), visitedAt: Type.Integer(), gate: Type.String() }, closed),
  {
    describe: 'Visits of drivers',
    key: ['tenantId', 'visitNo'],
    lists: { newest: ['tenantId', '-visitedAt'], gate: ['gate', '-visitedAt'] },
    tenant: 'tenantId',
    shard: 'tenantId',
    ends: [{ by: 'gate', within: ['north'], keptMs: 2 * DAY_MS }],
  },
);
const days = collection('visit_days', Type.Object({ day: Type.String(), tenantId: Type.String(), visits: Type.Integer() }, closed), {
  describe: 'How many visits a day had',
  key: ['tenantId', 'day'],
  lists: { owned: ['tenantId'], age: ['day'] },
  tenant: 'tenantId',
  shard: 'tenantId',
  ends: [{ by: 'age', keptMs: 10 * DAY_MS }],
  copy: 'they are counted from the visits',
});
const collections = [visits, days];

let db: SqliteDatabase;
let store: Store;
beforeEach(async () => {
  db = new SqliteDatabase(':memory:');
  db.declare(sqliteSchema(collections));
  store = createSqliteStore({ db });
  const visit = (tenantId: string, visitNo: string, day: number, gate: string) => ({
    ...{ in: visits, insert: { tenantId, visitNo, visitedAt: day * DAY_MS, gate } },
  });
  await store.apply([
    ...['V1', 'V2', 'V3'].map((no, place) => visit('tnt_a', no, place + 1, 'north')),
    visit('tnt_a', 'V4', 1, 'south'),
    visit('tnt_b', 'V1', 1, 'south'),
    ...['1970-01-02', '1970-01-03', '1970-01-04'].map((day) => ({ in: days, insert: { tenantId: 'tnt_a', day, visits: 1 } })),
  ]);
});
afterEach(() => db.close());

const left = async (): Promise<readonly unknown[]> => {
  const read = await Promise.all([
    store.find(visits.by.newest, { eq: ['tnt_a'], limit: 9 }),
    store.find(days.by.owned, { eq: ['tnt_a'], limit: 9 }),
  ]);
  return read.map(({ items }) => items.map(({ value }) => ('visitNo' in value ? value.visitNo : value.day)));
};

test('age ends documents: by an instant within some of a list, and by a day', async () => {
  const clock = new ManualClock(4 * DAY_MS);
  for (const step of cleanUpSteps(collections, store, clock)) while (await step.run());
  expect(await left()).toEqual([
    ['V3', 'V2', 'V4'],
    ['1970-01-02', '1970-01-03', '1970-01-04'],
  ]);
  clock.advance(8 * DAY_MS + 1);
  for (const step of cleanUpSteps(collections, store, clock)) while (await step.run());
  expect(await left()).toEqual([['V4'], ['1970-01-03', '1970-01-04']]);
});

test('a tenant receives its documents, and its erasure deletes them all', async () => {
  const kinds = tenantKinds(store, collections);
  expect(kinds.map(({ name, list }) => [name, list !== undefined])).toEqual([
    ['visits', true],
    ['visit_days', false],
  ]);
  const records = await kinds[0]?.list?.('tnt_b', null);
  expect(records?.map(({ record }) => record)).toEqual([{ visit_no: 'V1', visited_at: DAY_MS, gate: 'south' }]);
  for (const { erase } of kinds) while (((await erase?.('tnt_a')) ?? 0) > 0);
  expect(await left()).toEqual([[], []]);
  expect((await store.find(visits.by.newest, { eq: ['tnt_b'], limit: 9 })).items).toHaveLength(1);
});
