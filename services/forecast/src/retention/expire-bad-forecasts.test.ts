import { beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { NOW, useExpiry } from '../testing/expiry-under-test.ts';
import { instead } from '../testing/instead.ts';
import { expireForecasts } from './expire-forecasts.ts';
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

  test('whose files cannot be ended is passed over: they end with the forecast', async () => {
    await open().keep('tnt_a', null, 7, 2);
    const reader = unreadable('A1');
    expect(await expireForecasts({ ...open().options, reader })).toMatchObject({ forecasts: 1, files: 2, skipped: 1 });
    await open().published();
    expect(await expireForecasts(open().options)).toMatchObject({ files: 0, skipped: 0 });
    await open().keep('tnt_a', 15, 7, 3);
    expect(await expireForecasts(open().options)).toMatchObject({ forecasts: 3 });
    expect(await open().published()).toContain('forecast.expired tnt_a A1');
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
