import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { changeForecast } from '../../testing/change-forecast.ts';
import { NOW, viewForecast, viewItem } from '../../testing/samples.ts';
import { itemKeys, parcelKeys } from '../domain/scan-keys.ts';
import { MOVED_STATUS, movedId } from '../domain/seen-by-warehouse.ts';
import type { ViewQuery, ViewStore } from '../ports.ts';
import { viewForecasts } from './mongo-view-schema.ts';

/* What the server reads to respond, in a collection of a hundred thousand forecasts. */

jest.setTimeout(300_000);

const FORECASTS = 100_000;
const WAREHOUSES = 4;
const MERCHANTS = 25;
const DAYS = 20;
const BATCH = 5000;
const PAGE = 50;
const day = (index: number): string => `2026-12-${String((index % DAYS) + 1).padStart(2, '0')}`;
const noOf = (index: number): string => `FC${String(index).padStart(6, '0')}`;

/** Half of them live, a quarter left, some moved away; all at times of their own. */
function documentOf(index: number): object {
  const isMoved = index % 20 === 19;
  const status = isMoved ? MOVED_STATUS : ([1, 1, 2, 3, 5, 5, 6, 7][Math.floor(index / WAREHOUSES) % 8] as 1);
  const warehouseCode = `WH${index % WAREHOUSES}`;
  const forecast = viewForecast({
    forecastNo: noOf(index),
    tenantId: `tnt_${index % MERCHANTS}`,
    poNumber: `PO-${index}`,
    warehouseCode,
    content: { ...(viewForecast().content as object), trackingNumbers: [`TRK${index}`] } as never,
  });
  const live = status > 0 && status < 5;
  const keys = parcelKeys(forecast);
  return {
    _id: isMoved ? movedId(noOf(index), warehouseCode) : noOf(index),
    warehouse_code: warehouseCode,
    tenant_id: forecast.tenantId,
    status,
    due_date: day(Math.floor(index / 7)),
    stamp: index + 1,
    ...(!live && { closed_at: index }),
    revision: 1,
    forecast: JSON.stringify(forecast),
    items: JSON.stringify([viewItem()]),
    ...(live ? { live_keys: [...keys, ...itemKeys([viewItem({ sku_code: `SKU-${index % 1000}` })])] } : !isMoved && { past_keys: keys }),
  };
}

let opened: TestDatabase;
let view: ViewStore;
beforeAll(async () => {
  opened = await openTestDatabase([viewForecasts]);
  const { collection } = opened.database.model(viewForecasts);
  for (let first = 0; first < FORECASTS; first += BATCH) {
    const documents = Array.from({ length: BATCH }, (_, index) => documentOf(first + index));
    await collection.insertMany(documents as never, { ordered: false, writeConcern: { w: 1, journal: false } });
  }
  view = openMongoStores(opened.database, new ManualClock(NOW), false).view;
  // Asks for the server's time once, so that no call below does.
  await view.settled();
});
afterAll(() => opened.close());

interface Operation {
  readonly planSummary?: string;
  readonly docsExamined?: number;
  readonly keysExamined?: number;
  readonly hasSortStage?: boolean;
}

/** What the server did for a call: documents and keys that it looked at, and the plans. */
async function costOf(
  call: () => Promise<unknown>,
): Promise<{ documents: number; keys: number; plans: readonly string[]; sorts: boolean }> {
  const { db } = opened.database.connection;
  if (db === undefined) throw new Error('The database is not connected');
  await db.command({ profile: 0 });
  await db.dropCollection('system.profile').catch(() => false);
  await db.command({ profile: 2 });
  await call();
  await db.command({ profile: 0 });
  const operations = await db
    .collection<Operation>('system.profile')
    .find({ ns: /\.view_forecasts$/ })
    .toArray();
  const sum = (of: (operation: Operation) => number | undefined): number =>
    operations.reduce((total, operation) => total + (of(operation) ?? 0), 0);
  return {
    documents: sum(({ docsExamined }) => docsExamined),
    keys: sum(({ keysExamined }) => keysExamined),
    plans: operations.map(({ planSummary }) => String(planSummary)),
    sorts: operations.some(({ hasSortStage }) => hasSortStage === true),
  };
}

const ALL = [1, 2, 3, 4, 5, 6, 7] as const;
const days = Array.from({ length: DAYS }, (_, index) => day(index));
const middle = { stamp: FORECASTS / 2, forecastNo: noOf(FORECASTS / 2 - 1) };
const lists: Readonly<Record<string, Partial<ViewQuery>>> = {
  'the first page': { statuses: [1, 2, 3, 4] },
  'a page in the middle': { statuses: [1, 2, 3, 4], behind: middle },
  'a poll without changes': { moved: true, above: FORECASTS },
  'a poll of the latest changes': { moved: true, above: FORECASTS - 30 },
  'a poll of many changes': { moved: true, above: 10 },
  'those of a merchant': { tenantId: 'tnt_0' },
  'those of no merchant': { tenantId: 'tnt_none' },
  'those of many days': { dueDays: days },
  'those of a merchant and a day': { tenantId: 'tnt_4', dueDays: [day(3)], moved: true },
};

test.each(Object.entries(lists))('the list reads little more than it shows: %s', async (_name, query) => {
  let shown = 0;
  const cost = await costOf(async () => {
    shown = (await view.list('WH0', { statuses: ALL, above: -1, limit: PAGE, ...query })).length;
  });
  const stretches = (query.statuses ?? ALL).length + 1;
  expect(cost.plans.every((plan) => plan.startsWith('IXSCAN'))).toBe(true);
  // Each group of statuses reads a page of its own; a place in the middle is found behind one document of each.
  expect(cost.documents).toBeLessThanOrEqual(2 * shown + stretches);
  // A key ahead in each stretch of the index, besides.
  expect(cost.keys).toBeLessThanOrEqual(3 * shown + 3 * stretches * (query.dueDays?.length ?? 1));
  expect(cost.sorts).toBe(false);
});

const number = parcelKeys(
  viewForecast({ content: { ...(viewForecast().content as object), trackingNumbers: ['TRK8'] } as never, poNumber: 'PO-8' }),
);
const calls: Readonly<Record<string, [() => Promise<unknown>, number]>> = {
  'a single read': [() => view.read('WH0', noOf(8)), 1],
  'a single read at another warehouse': [() => view.read('WH1', noOf(8)), 1],
  'a read of what has moved away': [() => view.read('WH3', movedId(noOf(19), 'WH3')), 1],
  'a lookup of a number': [() => view.find('WH0', [String(number[1])], 51), 1],
  'a lookup of nothing': [() => view.find('WH0', ['n:NOTHING'], 51), 0],
  'a lookup of a SKU that many have': [() => view.find('WH0', ['s:SKU-8'], 51), 51],
  'a lookup of all that a scan may be': [() => view.find('WH0', [...number, 'd:NOTHING', 's:NOTHING', 'b:NOTHING'], 51), 1],
  // Once for all of them, and once for the SKU alone.
  'a lookup of all that a scan may be, of which many have one': [() => view.find('WH0', [...number, 's:SKU-8'], 51), 51 + 51 + 2],
  'several forecasts by their numbers': [() => view.get('WH0', [noOf(8), noOf(9), 'NONE']), 2],
  'a change': [() => changeForecast(view, noOf(8), (before) => before && { forecast: { ...before, itemsVersion: 9 } }), 2],
  'a move': [() => changeForecast(view, noOf(8), (before) => before && { forecast: { ...before, warehouseCode: 'WH9' } }), 4],
  'an expiry of nothing': [() => view.purge(0, 200), 0],
  // Read, and deleted by their ids.
  'an expiry': [() => view.purge(FORECASTS / 2, 200), 400],
};

test.each(Object.entries(calls))('%s reads no more than it needs', async (_name, [call, documents]) => {
  const cost = await costOf(call);
  expect(cost.plans.filter((plan) => plan.includes('COLLSCAN'))).toEqual([]);
  expect(cost.documents).toBeLessThanOrEqual(documents);
  expect(cost.keys).toBeLessThanOrEqual(2 * documents + 2);
  expect(cost.sorts).toBe(false);
});
