import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ForecastSnapshot } from '@parcelway/contracts/forecast-snapshot';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { intakeMigrations } from '../adapters/sqlite-migrations.ts';
import { NOW } from '../testing/samples.ts';
import { forecastSnapshot } from '../testing/snapshot-samples.ts';
import { viewItem } from '../testing/view-samples.ts';
import { SqliteView } from './adapters/sqlite-view.ts';
import { SqliteViewBackfill } from './adapters/sqlite-view-backfill.ts';
import { type BackfillOptions, backfillView, NEXT_PASS_MS, PASSES } from './backfill-view.ts';

let db: SqliteDatabase;
let clock: ManualClock;
let view: SqliteView;
let asked: (string | null)[];
beforeEach(() => {
  clock = new ManualClock(NOW);
  db = new SqliteDatabase(':memory:');
  db.migrate(intakeMigrations);
  view = new SqliteView(db, clock);
  asked = [];
});
afterEach(() => db.close());

const PAGE = 3;

/** A process that fills the view from a list of forecasts. */
function processOver(forecasts: readonly ForecastSnapshot[], changes: Partial<BackfillOptions> = {}): BackfillOptions {
  return {
    view,
    progress: new SqliteViewBackfill(db, clock, PASSES),
    snapshots: {
      async pageOf(after) {
        asked.push(after);
        const from = Number(after ?? 0);
        return { forecasts: forecasts.slice(from, from + PAGE), next: from + PAGE < forecasts.length ? String(from + PAGE) : null };
      },
    },
    items: { itemsOf: async () => ({ version: 1, items: [viewItem({ sku_code: 'LARGE' })] }) },
    clock,
    logger: silentLogger,
    keepMs: 1000,
    ...changes,
  };
}
const run = (options: BackfillOptions, stopping = () => false) => backfillView(options, stopping);
const many = (count: number) => Array.from({ length: count }, (_, index) => forecastSnapshot(`FC${index}`));
const shown = async (): Promise<string[]> =>
  (await view.list('WH1', { statuses: [1, 2, 3, 4, 5, 6, 7], above: -1, limit: 100 }))
    .map(({ forecast }) => forecast.forecastNo)
    .toSorted();

describe('filling the view', () => {
  test('brings every forecast with its items and status, once, and ends for ever after the second pass', async () => {
    const forecasts = [...many(6), forecastSnapshot('FC6', { status: 3 })];
    expect(await run(processOver(forecasts))).toBe(false);
    expect(asked).toEqual([null, '3', '6']);
    expect(await shown()).toEqual(forecasts.map(({ content }) => content.forecast_no));
    expect(await view.read('WH1', 'FC6')).toMatchObject({ forecast: { status: 3 }, items: [viewItem()] });
    const sequence = async () => (await view.list('WH1', { statuses: [1, 3], above: -1, limit: 100 })).map(({ stamp }) => stamp);
    const before = await sequence();

    expect(await run(processOver(forecasts))).toBe(false);
    expect(asked).toHaveLength(3);
    clock.advance(NEXT_PASS_MS);
    expect(await run(processOver([...forecasts, forecastSnapshot('LATE')]))).toBe(true);
    expect(asked).toHaveLength(6);
    expect(await shown()).toContain('LATE');
    // What was there already is no change that anybody is shown.
    expect((await sequence()).slice(1)).toEqual(before);
    clock.advance(NEXT_PASS_MS);
    expect(await run(processOver(forecasts))).toBe(true);
    expect(asked).toHaveLength(6);
  });

  test('notifies outside systems of each forecast that it adds, and of large items once they are there', async () => {
    const notified: string[] = [];
    const noting: BackfillOptions['view'] = {
      change: (forecastNos, decide) =>
        view.change(forecastNos, (known) => {
          const changes = decide(known);
          for (const { forecast, notes } of changes) notified.push(`${forecast.forecastNo} ${notes?.[0]?.change} ${forecast.itemsVersion}`);
          return changes;
        }),
    };
    const forecasts = [forecastSnapshot('FC0'), forecastSnapshot('FC1', { content: { items: null } })];
    for (let pass = 0; pass < PASSES; pass += 1) {
      await run(processOver(forecasts, { view: noting }));
      clock.advance(NEXT_PASS_MS);
    }
    expect(notified.toSorted()).toEqual(['FC0 accepted 1', 'FC1 accepted 0', 'FC1 accepted 1']);
  });

  test('goes on behind the last page after a crash', async () => {
    const forecasts = many(8);
    let calls = 0;
    const dying = processOver(forecasts);
    const failing: BackfillOptions = {
      ...dying,
      snapshots: {
        async pageOf(...page) {
          calls += 1;
          if (calls === 3) throw AppError.unavailable('The forecast service is out');
          return dying.snapshots.pageOf(...page);
        },
      },
    };
    await expect(run(failing)).rejects.toMatchObject({ code: '50301' });
    expect(await shown()).toHaveLength(6);
    asked = [];
    await run(processOver(forecasts));
    expect(asked).toEqual(['6']);
    expect(await shown()).toHaveLength(8);
  });

  test('repeats a page that was not recorded, and does no harm', async () => {
    const forecasts = many(4);
    const one = processOver(forecasts);
    const forgetful: BackfillOptions = {
      ...one,
      progress: { claim: () => one.progress.claim(), record: () => Promise.reject(AppError.unavailable('The process has died')) },
    };
    await expect(run(forgetful)).rejects.toMatchObject({ code: '50301' });
    await run(processOver(forecasts));
    expect(asked).toEqual([null, null, '3']);
    expect(await shown()).toHaveLength(4);
  });

  test('by two processes at once brings the same', async () => {
    const forecasts = many(20);
    await Promise.all([run(processOver(forecasts)), run(processOver(forecasts))]);
    expect(await shown()).toHaveLength(20);
  });

  test('never undoes what events have brought', async () => {
    const newer = forecastSnapshot('FC0', { status: 5, content: { version: 2, warehouse_code: 'WH2' } });
    await run(processOver([newer]));
    clock.advance(NEXT_PASS_MS);
    await run(processOver([forecastSnapshot('FC0')]));
    expect(await view.read('WH2', 'FC0')).toMatchObject({ forecast: { status: 5, content: { version: 2 } } });
    expect(await shown()).toEqual([]);
  });

  test('ends after a page when its caller says so', async () => {
    let pages = 0;
    await run(processOver(many(9)), () => {
      pages += 1;
      return pages > 2;
    });
    expect(await shown()).toHaveLength(6);
  });

  test('reads items that are too large, and shows the forecast also when they can never be read', async () => {
    const large = forecastSnapshot('FC0', { content: { items: null } });
    const itemsOf = (): Promise<never> => Promise.reject(new AppError('40403'));
    const errors: unknown[] = [];
    const logger = { ...silentLogger, error: (fields: unknown) => void errors.push(fields) } as typeof silentLogger;
    await run(processOver([large, forecastSnapshot('FC1')], { items: { itemsOf }, logger }));
    expect(errors).toEqual([expect.objectContaining({ tenant_id: 'tnt_a', forecast_no: 'FC0' })]);
    expect(await shown()).toEqual(['FC0', 'FC1']);
    clock.advance(NEXT_PASS_MS);
    await run(processOver([large, forecastSnapshot('FC1')]));
    expect(await view.read('WH1', 'FC0')).toMatchObject({ items: [{ sku_code: 'LARGE' }] });
  });

  test('says how far it is', async () => {
    const lines: unknown[] = [];
    const logger = { ...silentLogger, info: (fields: object, text: string) => void lines.push([text, fields]) } as typeof silentLogger;
    await run(processOver(many(4), { logger }));
    expect(lines).toEqual([
      ['Adding older forecasts to the warehouse view', { pass: 1 }],
      ['Older forecasts were added to the warehouse view', { pass: 1, forecasts: 4 }],
    ]);
  });

  test('of an empty platform asks once a pass, and says nothing', async () => {
    const lines: unknown[] = [];
    const logger = { ...silentLogger, info: (...line: unknown[]) => void lines.push(line) } as typeof silentLogger;
    await run(processOver([], { logger }));
    await run(processOver([], { logger }));
    expect([asked, lines]).toEqual([[null], []]);
  });
});
