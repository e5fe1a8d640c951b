import { beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { NOW, useExpiry } from '../testing/expiry-under-test.ts';
import { instead } from '../testing/instead.ts';
import { DAY_MS } from './domain/retention.ts';
import { expireForecasts } from './expire-forecasts.ts';
import { SkippedForecasts } from './skipped-forecasts.ts';
import type { ExpireOptions } from './tenant-turn.ts';

const open = useExpiry();

describe('a bad forecast', () => {
  const bad = new Error('a forecast that no code of today can read');
  const archiveBut = (...numbers: readonly string[]): ExpireOptions['archive'] => {
    const { archive: write } = open().options;
    return async (tenantId, forecasts) => {
      if (forecasts.some(({ record }) => numbers.includes(record.forecastNo))) throw bad;
      await write?.(tenantId, forecasts);
    };
  };

  /** The store without a forecast that it cannot read. */
  const unreadable = (no: string): ExpireOptions['reader'] =>
    instead(open().store as ExpireOptions['reader'], {
      async readByForecastNo(tenantId, forecastNo) {
        if (forecastNo === no) throw bad;
        return open().store.readByForecastNo(tenantId, forecastNo);
      },
    });

  beforeEach(async () => {
    await open().end('tnt_a', 20, 'A1', 'A2', 'A3');
    await open().end('tnt_b', 20, 'B1');
    await open().keep('tnt_a', 15);
    await open().keep('tnt_b', 15);
  });

  test('that cannot be archived is skipped, and tried again later', async () => {
    expect(await expireForecasts({ ...open().options, archive: archiveBut('A2') })).toMatchObject({ forecasts: 3, skipped: 1 });
    expect([await open().left(), await open().archived()]).toEqual([['A2'], ['tnt_a A1', 'tnt_a A3', 'tnt_b B1']]);
    expect(await expireForecasts(open().options)).toMatchObject({ forecasts: 0, skipped: 0 });
    const later = new ManualClock(NOW + 10 * 60_000);
    expect(await expireForecasts({ ...open().options, clock: later })).toMatchObject({ forecasts: 1, skipped: 0 });
    expect(await open().left()).toEqual([]);
  });

  test('that cannot be read or deleted is skipped', async () => {
    const reader = unreadable('A1');
    const { expiry } = open().options;
    const failing: ExpireOptions['expiry'] = instead(expiry, {
      async expire(...given: Parameters<typeof expiry.expire>) {
        if (given[1].some(({ forecast }) => forecast.forecastNo === 'A3')) throw bad;
        return expiry.expire(...given);
      },
    });
    expect(await expireForecasts({ ...open().options, reader, expiry: failing })).toMatchObject({ forecasts: 2, skipped: 2 });
    expect(await open().left()).toEqual(['A1', 'A3']);
  });

  test('whose files cannot be ended is tried again, behind those that were', async () => {
    await open().keep('tnt_a', null, 7, 2);
    const reader = unreadable('A1');
    expect(await expireForecasts({ ...open().options, reader })).toMatchObject({ forecasts: 1, files: 2, skipped: 1 });
    await open().published();
    expect(await expireForecasts(open().options)).toMatchObject({ files: 0, skipped: 0 });
    const later = new ManualClock(NOW + 10 * 60_000);
    expect(await expireForecasts({ ...open().options, reader, clock: later })).toMatchObject({ files: 0, skipped: 1 });
    const atLast = new ManualClock(NOW + 40 * 60_000);
    expect(await expireForecasts({ ...open().options, clock: atLast })).toMatchObject({ files: 1, skipped: 0 });
    expect(await open().published()).toEqual(['forecast.files_expired tnt_a A1']);
    expect(await expireForecasts({ ...open().options, clock: atLast })).toMatchObject({ files: 0 });
  });

  test('whose files cannot be ended is tried again after a restart, and the others are not published again', async () => {
    await open().keep('tnt_a', null, 7, 2);
    expect(await expireForecasts({ ...open().options, reader: unreadable('A1') })).toMatchObject({ files: 2, skipped: 1 });
    await open().published();
    const restarted = { ...open().options, skipped: new SkippedForecasts() };
    expect(await expireForecasts(restarted)).toMatchObject({ files: 1, skipped: 0 });
    expect(await open().published()).toEqual(['forecast.files_expired tnt_a A1']);
    expect(await open().options.expiry.filesSkipped('tnt_a')).toEqual([]);
  });

  test('whose files are to be ended is forgotten when it is gone', async () => {
    await open().keep('tnt_a', 15, 7, 2);
    await open().end('tnt_a', 10, 'A4');
    expect(await expireForecasts({ ...open().options, reader: unreadable('A4') })).toMatchObject({ files: 0, skipped: 1 });
    expect(await open().options.expiry.filesSkipped('tnt_a')).toEqual(['A4']);
    await open().end('tnt_a', 10, 'A5');
    const later = new ManualClock(NOW + 6 * DAY_MS);
    expect(await expireForecasts({ ...open().options, clock: later })).toMatchObject({ forecasts: 2, files: 0, skipped: 0 });
    expect(await open().options.expiry.filesSkipped('tnt_a')).toEqual([]);
    expect((await open().published()).filter((one) => one.includes('A4'))).toEqual(['forecast.expired tnt_a A4']);
  });

  test('is tried again with others in batches, between which the turn can end', async () => {
    await open().keep('tnt_a', null, 7, 2);
    const numbers = Array.from({ length: 120 }, (_, index) => `gone${index}`);
    await open().options.expiry.expireFiles('tnt_a', { endedAt: NOW, forecastId: 0 }, [], numbers);
    const left = async () => (await open().options.expiry.filesSkipped('tnt_a')).length;
    const held = { ...open().held, isOver: () => open().paces > 0 };
    expect(await expireForecasts({ ...open().options, held })).toMatchObject({ hasMore: true });
    expect(await left()).toBe(70);
    await expireForecasts(open().options);
    expect(await left()).toBe(0);
  });

  test('of too many whose files cannot be ended the place does not move behind them', async () => {
    await open().keep('tnt_a', null, 7, 2);
    const numbers = Array.from({ length: 999 }, (_, index) => `old${index}`);
    await open().options.expiry.expireFiles('tnt_a', { endedAt: 0, forecastId: 0 }, [], numbers);
    const none = instead(open().store as ExpireOptions['reader'], { readByForecastNo: () => Promise.reject(bad) });
    await expireForecasts({ ...open().options, reader: none });
    expect(await open().options.expiry.filesExpiredTo('tnt_a')).toEqual({ endedAt: 0, forecastId: 0 });
    expect(await open().options.expiry.filesSkipped('tnt_a')).toHaveLength(999);
    await open().published();
    expect(await expireForecasts({ ...open().options, skipped: new SkippedForecasts() })).toMatchObject({ files: 3, skipped: 0 });
    expect(await open().options.expiry.filesSkipped('tnt_a')).toEqual([]);
  });

  test('a tenant whose messages wait does not stop the others', async () => {
    const { expiry } = open().options;
    const full: ExpireOptions['expiry'] = instead(expiry, {
      async expire(...given: Parameters<typeof expiry.expire>) {
        if (given[0] === 'tnt_a') throw AppError.unavailable('The messages of before are not published yet');
        return expiry.expire(...given);
      },
    });
    expect(await expireForecasts({ ...open().options, expiry: full })).toMatchObject({ forecasts: 1, unavailable: { code: '50301' } });
    expect(await open().left()).toEqual(['A1', 'A2', 'A3']);
  });
});

const TEN_MINUTES = 600_000;

const forecast = (forecastNo: string, tenantId = 'tnt_a') => ({ tenantId, forecastNo });

test('a forecast and its files are skipped each by itself, tenant by tenant', () => {
  const skipped = new SkippedForecasts();
  expect([skipped.failed('files', forecast('F1'), 0), skipped.failed('forecast', forecast('F2'), 0)]).toEqual([1, 1]);
  const isDue = (now: number) => [
    skipped.isDue('files', forecast('F1'), now),
    skipped.isDue('forecast', forecast('F1'), now),
    skipped.isDue('files', forecast('F1', 'tnt_b'), now),
    skipped.isDue('forecast', forecast('F2'), now),
  ];
  expect(isDue(TEN_MINUTES - 1)).toEqual([false, true, true, false]);
  expect(isDue(TEN_MINUTES)).toEqual([true, true, true, true]);
  skipped.settled('files', forecast('F1'));
  expect(isDue(0)).toEqual([true, true, true, false]);
});
