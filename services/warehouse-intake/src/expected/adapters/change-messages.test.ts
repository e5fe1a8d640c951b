import { describe, expect, test } from '@jest/globals';
import type { WarehouseForecastChange } from '@parcelway/contracts/warehouse-change';
import type { OutboxMessage } from '@parcelway/platform/outbox';
import { intakeEvent, viewForecast, viewItem } from '../../testing/samples.ts';
import { noteEntry } from '../domain/decide-view.ts';
import type { ViewForecast, ViewItem } from '../domain/forecast-copy.ts';
import type { CompleteForecast } from '../view-store.ts';
import { ChangeMessages, FRESH_MS } from './change-messages.ts';

const NOTE = { changedAt: '2026-11-21T08:00:00.000+00:00' } as const;

const WEIGHING = intakeEvent({ detail: { type: 'weighing', lengthCm: 30, widthCm: 20, heightCm: 10, weightKg: 1.25, photos: [] } });

/** Messages of an outbox and a view in memory. */
function open({ seesPrices = false } = {}) {
  const forecasts = new Map<string, CompleteForecast>();
  const entries: OutboxMessage[] = [];
  const log = {
    reads: [] as (readonly string[])[],
    repeated: [] as string[],
    more: 0,
    now: 0,
  };
  const note = (forecastNo: string, change: 'accepted' | 'held' | 'released'): void => {
    entries.push({ id: `${forecastNo}#${entries.length}`, ...noteEntry(forecastNo, { change, ...NOTE }) });
  };
  const messages = new ChangeMessages({
    urls: { lasting: (_tenantId, url) => url, document: ({ kind }) => kind },
    changes: {
      outbox: {
        lease: async (limit) => entries.slice(0, limit),
        remove: async (ids) => {
          for (const id of ids)
            entries.splice(
              entries.findIndex((entry) => entry.id === id),
              1,
            );
        },
        depth: async () => ({ count: entries.length, oldestAt: null }),
      },
      sizes: async (wanted) =>
        new Map(
          wanted.flatMap((forecastNo) => {
            const found = forecasts.get(forecastNo);
            return found === undefined ? [] : [[forecastNo, JSON.stringify(found).length] as const];
          }),
        ),
      current: async (wanted) => {
        log.reads.push(wanted);
        return wanted.flatMap((forecastNo) => forecasts.get(forecastNo) ?? []);
      },
      repeat: async (late) => {
        for (const { key, value } of late) log.repeated.push(`${key} ${JSON.parse(value).change}`);
      },
    },
    reports: { latestOf: async (forecasts) => forecasts.map(() => ({ measurement: [WEIGHING] })) },
    seesPrices,
    more: () => {
      log.more += 1;
    },
    now: () => log.now,
  });
  const put = (changes: Partial<ViewForecast> = {}, items: readonly ViewItem[] = [viewItem()]): void => {
    const forecast = viewForecast(changes);
    forecasts.set(forecast.forecastNo, { forecast, stamp: 1_800_000_000_000_000, items });
  };
  const lease = async (limit = 500): Promise<readonly (WarehouseForecastChange & { readonly id: string })[]> =>
    (await messages.lease(limit)).map(({ id, value }) => ({ id, ...JSON.parse(value) }));
  return { messages, forecasts, put, note, lease, log, entries };
}

const shown = (leased: readonly WarehouseForecastChange[]): string[] =>
  leased.map(({ change, forecast }) => `${change} ${forecast.forecast_no} ${forecast.status}`);

describe('messages of changes', () => {
  test('are made of the forecast as it is when they are leased, in the order of the changes', async () => {
    const { put, note, lease, log } = open();
    put();
    put({ forecastNo: 'FC2' });
    note('FC1', 'accepted');
    note('FC2', 'accepted');
    note('FC1', 'held');
    expect(shown(await lease())).toEqual(['accepted FC1 1', 'accepted FC2 1', 'held FC1 1']);
    put({ status: 3 });
    expect(shown(await lease())).toEqual(['accepted FC1 3', 'accepted FC2 1', 'held FC1 3']);
    expect(log.reads).toEqual([
      ['FC1', 'FC2'],
      ['FC1', 'FC2'],
    ]);
  });

  test('come in small batches when they are large, and ask for the next', async () => {
    const { messages, put, note, lease, log } = open();
    const items = Array.from({ length: 800 }, (_, index) => viewItem({ sku_code: `SKU-${index}`, product_name_en: 'x'.repeat(900) }));
    for (let index = 0; index < 20; index += 1) {
      put({ forecastNo: `FC${index}` }, items);
      note(`FC${index}`, 'accepted');
    }
    const seen: string[] = [];
    for (let batches = 0; batches < 20 && seen.length < 20; batches += 1) {
      const leased = await lease();
      expect(leased.length).toBeLessThan(8);
      seen.push(...leased.map(({ forecast }) => forecast.forecast_no));
      await messages.remove(leased.map(({ id }) => id));
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => `FC${index}`));
    expect(log.more).toBeGreaterThan(2);
  });

  test('are read a hundred forecasts at once', async () => {
    const { put, note, lease, log } = open();
    for (let index = 0; index < 250; index += 1) {
      put({ forecastNo: `FC${index}` });
      note(`FC${index}`, 'accepted');
      // Of one that is read anyway.
      note(`FC${index}`, 'held');
    }
    const expected = Array.from({ length: 250 }, (_, index) => [`accepted FC${index} 1`, `held FC${index} 1`]).flat();
    expect(shown(await lease())).toEqual(expected);
    expect([log.reads.map(({ length }) => length), log.more]).toEqual([[100, 100, 50], 0]);
  });

  test('are noted once more when publishing took so long that another process may have overtaken it', async () => {
    const { messages, put, note, lease, log, entries } = open();
    put();
    put({ forecastNo: 'FC2' });
    note('FC1', 'held');
    note('FC2', 'held');
    note('FC1', 'released');
    const leased = await lease();
    log.now = FRESH_MS;
    await messages.remove(leased.slice(0, 1).map(({ id }) => id));
    expect(log.repeated).toEqual([]);
    log.now += 1;
    await messages.remove(leased.slice(1).map(({ id }) => id));
    expect(log.repeated).toEqual(['FC2 held', 'FC1 released']);
    expect(entries).toEqual([]);
  });
});
