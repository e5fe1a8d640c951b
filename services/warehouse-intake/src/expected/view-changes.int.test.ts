import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ForecastChange, WarehouseForecastChange } from '@parcelway/contracts/warehouse-change';
import { ManualClock } from '@parcelway/kernel/clock';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import type { OutboxMessage } from '@parcelway/platform/outbox';
import { changeForecast } from '../testing/change-forecast.ts';
import { collectPublications } from '../testing/collect-publications.ts';
import { mongoCollections, openMongo } from '../testing/mongo-intake.ts';
import { NOW, viewForecast, viewItem } from '../testing/samples.ts';
import { ChangeMessages, FRESH_MS } from './adapters/change-messages.ts';
import type { ViewUrls } from './adapters/view-representations.ts';
import type { ViewForecast } from './domain/forecast-copy.ts';
import type { ViewWriter } from './ports.ts';

// Each write is confirmed by the disk, on a machine that may have other things to do.
jest.setTimeout(180_000);

const noteOf = (change: ForecastChange) => ({ change, changedAt: '2026-11-21T08:00:00.000+00:00' });

let opened: TestDatabase;
let clock: ManualClock;
beforeAll(async () => {
  opened = await openTestDatabase(mongoCollections);
  await startProfile(opened.database);
});
beforeEach(async () => {
  await opened.clear();
  clock = new ManualClock(NOW);
});
afterAll(() => opened.close());

/** One process of the service: its view, and what it publishes. */
function replica(database = opened.database) {
  const { view, changes, reports } = openMongo(database, clock, true);
  const timer = { now: 0 };
  const urls: ViewUrls = { lasting: (_tenantId, url) => url, document: ({ kind }) => kind };
  const messages = new ChangeMessages({ changes, reports, seesPrices: false, urls, more: () => undefined, now: () => timer.now });
  return { view, changes, messages, timer };
}

const put = (view: ViewWriter, change: ForecastChange, forecast: Partial<ViewForecast> = {}): Promise<void> => {
  const after = viewForecast(forecast);
  return changeForecast(view, after.forecastNo, () => ({ forecast: after, items: [viewItem()], notes: [noteOf(change)] }));
};
const linesOf = (messages: readonly Pick<OutboxMessage, 'value'>[]): string[] =>
  messages.map(({ value }) => {
    const { change, forecast } = JSON.parse(value) as WarehouseForecastChange;
    return `${change} ${forecast.forecast_no} at ${forecast.warehouse_code}, status ${forecast.status}`;
  });
const idsOf = (messages: readonly OutboxMessage[]): string[] => messages.map(({ id }) => id);

describe('what systems outside are to hear', () => {
  test('is written with the change, and published with the latest state', async () => {
    const { view, messages } = replica();
    await put(view, 'accepted');
    await put(view, 'corrected', { warehouseCode: 'WH2' });
    await changeForecast(view, 'FC1', () => ({ forecast: viewForecast({ warehouseCode: 'WH2', status: 2 }) }));
    await changeForecast(view, 'FC1', () => undefined);
    expect(await messages.depth()).toMatchObject({ count: 2 });
    const leased = await messages.lease(10);
    expect(linesOf(leased)).toEqual(['accepted FC1 at WH2, status 2', 'corrected FC1 at WH2, status 2']);
    expect(JSON.parse(leased[0]?.value ?? '{}')).toMatchObject({ forecast: { items: [{ sku_code: 'MUG' }] } });
    await messages.remove(idsOf(leased));
    expect(await messages.depth()).toEqual({ count: 0, oldestAt: null });
  });

  test('is one entry for each change, in their order, when changes race', async () => {
    const { view, changes } = replica();
    const statuses: number[] = [];
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        changeForecast(view, 'FC1', (before) => {
          const version = (before?.itemsVersion ?? 0) + 1;
          return {
            forecast: viewForecast({ itemsVersion: version }),
            notes: [{ change: 'status', changedAt: `${version} ${index}` }],
          };
        }),
      ),
    );
    for (const value of await collectPublications(changes.outbox)()) statuses.push(Number.parseInt(JSON.parse(value).changedAt, 10));
    expect(statuses).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('is nothing while the topic is switched off; what was written before goes out', async () => {
    const { view, changes } = replica();
    await put(view, 'accepted');
    const off = openMongo(opened.database, clock).view;
    await put(off, 'corrected');
    await put(off, 'accepted', { forecastNo: 'FC2' });
    expect(await collectPublications(changes.outbox)()).toHaveLength(1);
  });

  test('is noted once more when its publication took long, and leaves nothing behind', async () => {
    const { view, messages, timer, changes } = replica();
    await put(view, 'accepted');
    const leased = await messages.lease(10);
    timer.now += FRESH_MS + 1;
    await messages.remove(idsOf(leased));
    await messages.settle();
    const again = await messages.lease(10);
    expect(linesOf(again)).toEqual(['accepted FC1 at WH1, status 1']);
    await messages.remove(idsOf(again));
    expect(await messages.depth()).toEqual({ count: 0, oldestAt: null });
    await put(view, 'cancelled', { status: 7 });
    // What systems outside have not heard of stays.
    expect(await view.purge(NOW + 1, 10)).toBe(0);
    await messages.flush();
    await collectPublications(changes.outbox)();
    expect(await view.purge(NOW + 1, 10)).toBe(1);
    await changes.repeat([{ topic: 't', key: 'FC1', value: '{}' }]);
    expect(await messages.depth()).toEqual({ count: 0, oldestAt: null });
  });
});

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});

test('the items of a forecast come back, and their size is known', async () => {
  const { view, changes } = replica();
  await put(view, 'accepted');
  expect((await changes.current(['FC1', 'FC2'])).map(({ items }) => items)).toEqual([[viewItem()]]);
  expect((await changes.sizes(['FC1'])).get('FC1')).toBeGreaterThan(100);
});
