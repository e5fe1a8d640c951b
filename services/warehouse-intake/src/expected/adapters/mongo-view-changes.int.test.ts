import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { ForecastChange, WarehouseForecastChange } from '@parcelway/contracts/warehouse-change';
import { ManualClock, systemClock } from '@parcelway/kernel/clock';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import type { OutboxMessage } from '@parcelway/platform/outbox';
import { intakeCollections } from '../../adapters/mongo-collections.ts';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { MongoReports } from '../../reports/adapters/mongo-reports.ts';
import { changeForecast } from '../../testing/change-forecast.ts';
import { collectPublications } from '../../testing/collect-publications.ts';
import { NOW, viewForecast, viewItem } from '../../testing/samples.ts';
import type { ViewForecast } from '../domain/forecast-copy.ts';
import type { ViewWriter } from '../ports.ts';
import { ChangeMessages, FRESH_MS } from './change-messages.ts';
import type { ViewUrls } from './view-representations.ts';

// Each write is confirmed by the disk, on a machine that may have other things to do.
jest.setTimeout(180_000);

const LEASE_MS = 15_000;
const noteOf = (change: ForecastChange) => ({ change, changedAt: '2026-11-21T08:00:00.000+00:00' });

let opened: TestDatabase;
let clock: ManualClock;
beforeAll(async () => {
  opened = await openTestDatabase(intakeCollections);
  await startProfile(opened.database);
});
beforeEach(async () => {
  await opened.clear();
  clock = new ManualClock(NOW);
});
afterAll(() => opened.close());

/** One process of the service: its view, and what it publishes. */
function replica(database = opened.database) {
  const changes = openMongoStores(database, clock).changes;
  const timer = { now: 0 };
  const reports = new MongoReports(database);
  const urls: ViewUrls = { lasting: (_tenantId, url) => url, document: ({ kind }) => kind };
  const messages = new ChangeMessages({ changes, reports, seesPrices: false, urls, more: () => undefined, now: () => timer.now });
  return { view: openMongoStores(database, clock, true).view, changes, messages, timer };
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
    const off = openMongoStores(opened.database, clock, false).view;
    await put(off, 'corrected');
    await put(off, 'accepted', { forecastNo: 'FC2' });
    expect(await collectPublications(changes.outbox)()).toHaveLength(1);
  });

  test('comes again, in its newest state, when a process has died behind the publication', async () => {
    const { view, messages } = replica();
    await put(view, 'accepted');
    expect(linesOf(await messages.lease(10))).toEqual(['accepted FC1 at WH1, status 1']);
    await put(view, 'cancelled', { status: 7 });
    const other = replica(await opened.second());
    expect(await other.messages.lease(10)).toEqual([]);
    clock.advance(LEASE_MS + 1);
    expect(linesOf(await other.messages.lease(10))).toEqual(['accepted FC1 at WH1, status 7', 'cancelled FC1 at WH1, status 7']);
  });

  test('ends with the newest state, though a process that was overtaken publishes an older one last', async () => {
    const slow = replica();
    const other = replica(await opened.second());
    const published: OutboxMessage[] = [];
    const publish = async ({ messages }: typeof slow): Promise<void> => {
      const leased = await messages.lease(10);
      published.push(...leased);
      await messages.remove(idsOf(leased));
    };
    await put(slow.view, 'accepted');
    const stale = await slow.messages.lease(10);
    clock.advance(LEASE_MS + 1);
    slow.timer.now += FRESH_MS + 1;
    await put(slow.view, 'cancelled', { status: 7 });
    await publish(other);
    published.push(...stale);
    await slow.messages.remove(idsOf(stale));
    await publish(other);
    expect(linesOf(published)).toEqual([
      'accepted FC1 at WH1, status 7',
      'cancelled FC1 at WH1, status 7',
      'accepted FC1 at WH1, status 1',
      'accepted FC1 at WH1, status 7',
    ]);
    await publish(other);
    expect(published).toHaveLength(4);
  });

  test('is nothing of a forecast that was deleted', async () => {
    const { view, messages, changes } = replica();
    await put(view, 'cancelled', { status: 7 });
    await messages.lease(10);
    expect(await view.purge(NOW + 1, 10)).toBe(1);
    expect(await messages.lease(10)).toEqual([]);
    await changes.repeat([{ topic: 't', key: 'FC1', value: '{}' }]);
    expect(await messages.depth()).toEqual({ count: 0, oldestAt: null });
  });
});

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});

test('every operation names the shard key, but for those over all forecasts', async () => {
  expect(await broadcastsOf(opened.database, intakeCollections)).toEqual(['find view_forecasts by closed_at']);
});

test('a store without a connection says so', async () => {
  const away = await opened.second();
  await away.close();
  const changes = openMongoStores(away, systemClock).changes;
  for (const call of [
    () => changes.sizes(['FC1']),
    () => changes.current(['FC1']),
    () => changes.repeat([{ topic: 't', key: 'FC1', value: '{}' }]),
  ])
    await expect(call()).rejects.toMatchObject({ code: '50301' });
});
