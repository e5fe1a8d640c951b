import { beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { NOW, useExpiry } from '../testing/expiry-under-test.ts';
import { DAY_MS } from './domain/retention.ts';
import { BATCH, type ExpireOptions, expireForecasts } from './expire-forecasts.ts';

const open = useExpiry();

describe('a turn', () => {
  test('deletes nothing while nobody has chosen a time', async () => {
    await open().end('tnt_a', 3000, 'A1');
    expect(await expireForecasts(open().options)).toEqual({ forecasts: 0, files: 0, skipped: 0, overdueMs: 0, hasMore: false });
    expect(await open().left()).toEqual(['A1']);
  });

  test('archives and deletes what is over, by the time of each tenant', async () => {
    await open().end('tnt_a', 8, 'A1');
    await open().end('tnt_a', 7, 'A2');
    await open().end('tnt_b', 400, 'B1');
    await open().end('tnt_c', 31, 'C1');
    await open().keep('tnt_a', 7);
    await open().keep('tnt_b', 3650);
    const counts = await expireForecasts({ ...open().options, installation: { forecastMs: 30 * DAY_MS, fileMs: undefined } });
    // Whole days: what ended seven days ago at noon is over at midnight.
    expect(counts).toMatchObject({ forecasts: 2, files: 0 });
    expect(counts.overdueMs).toBe(DAY_MS / 2);
    expect(await open().left()).toEqual(['A2', 'B1']);
    expect(await open().archived()).toEqual(['tnt_a A1', 'tnt_c C1']);
    expect(await open().published()).toEqual(['forecast.expired tnt_a A1', 'forecast.expired tnt_c C1']);
  });

  test('ends after a batch when it is to stop, and pauses between batches', async () => {
    await open().end('tnt_a', 10, ...Array.from({ length: 120 }, (_, index) => `A${index}`));
    await open().keep('tnt_a', 7);
    const held = { ...open().held, isOver: () => open().paces > 0 };
    expect(await expireForecasts({ ...open().options, held })).toMatchObject({ forecasts: 50, hasMore: true });
    expect(await expireForecasts(open().options)).toMatchObject({ forecasts: 70, hasMore: false });
    expect(open().paces).toBe(3);
    expect((await open().archived()).length).toBe(120);
  });

  test('deletes nothing that is not archived, and does so in the next turn', async () => {
    await open().end('tnt_a', 10, 'A1');
    await open().keep('tnt_a', 7);
    const out = async (): Promise<never> => Promise.reject(AppError.unavailable('The object store cannot be used now'));
    expect(await expireForecasts({ ...open().options, archive: out })).toMatchObject({
      forecasts: 0,
      skipped: 0,
      unavailable: { code: '50301' },
    });
    expect(await open().left()).toEqual(['A1']);
    expect(await open().published()).toEqual([]);
    expect(await expireForecasts(open().options)).toMatchObject({ forecasts: 1 });
  });

  test('archives nothing of an erased tenant, also when it is erased meanwhile', async () => {
    await open().end('tnt_a', 10, ...Array.from({ length: 120 }, (_, index) => `A${index}`));
    await open().end('tnt_b', 10, 'B1');
    await open().keep('tnt_a', 7);
    await open().keep('tnt_b', 7);
    const isErased = (tenantId: string): boolean => tenantId === 'tnt_a' && open().paces > 0;
    expect(await expireForecasts({ ...open().options, isErased })).toMatchObject({ forecasts: 51 });
    expect(await expireForecasts({ ...open().options, isErased })).toMatchObject({ forecasts: 0 });
    expect((await open().archived()).filter((id) => id.startsWith('tnt_a'))).toHaveLength(50);
  });

  test('ends files before their forecast, each forecast once', async () => {
    await open().end('tnt_a', 20, 'A1');
    await open().end('tnt_a', 10, 'A2');
    await open().end('tnt_a', 5, 'A3');
    await open().keep('tnt_a', 15, 7);
    expect(await expireForecasts(open().options)).toMatchObject({ forecasts: 1, files: 1 });
    expect(await open().published()).toEqual(['forecast.expired tnt_a A1', 'forecast.files_expired tnt_a A2']);
    expect(await expireForecasts(open().options)).toMatchObject({ forecasts: 0, files: 0 });
    expect(await open().left()).toEqual(['A2', 'A3']);
  });
});

test('a crash between the archive and the deletion is repeated onto the same object', async () => {
  await open().end('tnt_a', 10, 'A1', 'A2');
  await open().keep('tnt_a', 7);
  const { expiry } = open().options;
  const crashing = { ...expiry, expire: () => Promise.reject(AppError.unavailable('the process was killed')) };
  expect(await expireForecasts({ ...open().options, expiry: crashing })).toMatchObject({
    unavailable: { message: 'the process was killed' },
  });
  expect(await open().archived()).toEqual(['tnt_a A1', 'tnt_a A2']);
  expect(await open().left()).toEqual(['A1', 'A2']);
  expect(await expireForecasts(open().options)).toMatchObject({ forecasts: 2 });
  expect(await open().archived()).toEqual(['tnt_a A1', 'tnt_a A2']);
  expect(await open().left()).toEqual([]);
});

const PART = 4 * BATCH;

const numbers = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** Tenants with forecasts that are over, so many each. */
async function over(tenants: Readonly<Record<string, number>>): Promise<void> {
  for (const [tenantId, count] of Object.entries(tenants)) {
    await open().end(tenantId, 10, ...numbers(tenantId, count));
    await open().keep(tenantId, 7);
  }
}

/** The work as a process has it that ends after so many pauses. */
const endingAfter = (paces: number): ExpireOptions['held'] => ({ ...open().held, isOver: () => open().paces >= paces });

describe('the turns of tenants', () => {
  test('begin behind the tenant who had the last one, whose process may have ended within it', async () => {
    await over({ tnt_a: PART + 1, tnt_b: BATCH + 1, tnt_c: 1 });
    await expireForecasts({ ...open().options, held: endingAfter(1) });
    await expireForecasts({ ...open().options, held: endingAfter(2) });
    expect(open().reached).toEqual(['tnt_a', 'tnt_b']);
    expect(await expireForecasts(open().options)).toMatchObject({ hasMore: false });
    expect(open().reached).toEqual(['tnt_a', 'tnt_b', 'tnt_c', 'tnt_a', 'tnt_b']);
    expect(await open().left()).toEqual([]);
  });

  test('reach a tenant behind others with nothing to delete, more than a turn can visit', async () => {
    const others = numbers('tnt_', 9);
    for (const tenantId of others) {
      await open().end(tenantId, 3, tenantId);
      await open().keep(tenantId, 7);
    }
    await over({ tnt_z: 1 });
    const clock = new ManualClock(NOW);
    const find: ExpireOptions['retentions']['find'] = async (tenantId) => {
      clock.advance(3 * 60_000);
      return open().options.retentions.find(tenantId);
    };
    const turn = () => expireForecasts({ ...open().options, clock, retentions: { find } });
    expect([await turn(), await turn(), await turn()].map(({ forecasts }) => forecasts)).toEqual([0, 0, 1]);
    expect(await open().left()).toEqual(others);
  });

  const outFor = (...tenants: readonly string[]): ExpireOptions['archive'] => {
    const { archive } = open().options;
    return async (tenantId, forecasts) => {
      if (tenants.includes(tenantId)) throw AppError.unavailable('Too many messages of the tenant wait');
      await archive?.(tenantId, forecasts);
    };
  };

  test('end when a dependency is out for three tenants in a row; the next one waits, and begins with the remaining tenants', async () => {
    await over({ tnt_a: 1, tnt_b: 1, tnt_c: 1, tnt_d: 1 });
    const archive = outFor('tnt_a', 'tnt_b', 'tnt_c');
    expect(await expireForecasts({ ...open().options, archive })).toMatchObject({ forecasts: 0, hasMore: false, unavailable: {} });
    expect(await expireForecasts({ ...open().options, archive })).toMatchObject({ forecasts: 1, hasMore: false, unavailable: {} });
    expect(await open().left()).toEqual(['tnt_a0', 'tnt_b0', 'tnt_c0']);
  });

  test('count when the tenants cannot be read any more, and the next turn then waits', async () => {
    await over({ tnt_a: 1, tnt_b: 1 });
    const { expiry } = open().options;
    const nextTenant: typeof expiry.nextTenant = async (after) => {
      if (after !== '') throw AppError.unavailable('The store cannot be used now');
      return expiry.nextTenant(after);
    };
    const unreadable = { ...expiry, nextTenant };
    const counts = await expireForecasts({ ...open().options, expiry: unreadable });
    expect(counts).toMatchObject({ forecasts: 1, hasMore: false, unavailable: { code: '50301' } });
    expect(await open().left()).toEqual(['tnt_b0']);
  });

  test('skip forecasts that fail', async () => {
    await over({ tnt_a: PART + BATCH });
    const bad = new Set(numbers('tnt_a', PART));
    const archive: ExpireOptions['archive'] = async (tenantId, forecasts) => {
      if (forecasts.some(({ record }) => bad.has(record.forecastNo))) throw new Error('cannot be archived');
      await open().options.archive?.(tenantId, forecasts);
    };
    expect(await expireForecasts({ ...open().options, archive })).toMatchObject({ forecasts: BATCH, skipped: PART, hasMore: false });
  });
});

describe('a bad forecast', () => {
  const bad = new Error('a forecast that no code of today can read');
  const archiveBut = (...numbers: readonly string[]): ExpireOptions['archive'] => {
    const { archive: write } = open().options;
    return async (tenantId, forecasts) => {
      if (forecasts.some(({ record }) => numbers.includes(record.forecastNo))) throw bad;
      await write?.(tenantId, forecasts);
    };
  };

  const unreadable = (no: string): ExpireOptions['reader'] => ({
    ...open().store,
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

  test('that cannot be archived is skipped, and retried in the next turn', async () => {
    expect(await expireForecasts({ ...open().options, archive: archiveBut('A2') })).toMatchObject({ forecasts: 3, skipped: 1 });
    expect([await open().left(), await open().archived()]).toEqual([['A2'], ['tnt_a A1', 'tnt_a A3', 'tnt_b B1']]);
    expect(await expireForecasts(open().options)).toMatchObject({ forecasts: 1, skipped: 0 });
    expect(await open().left()).toEqual([]);
  });

  test('whose files cannot be ended is retried in each turn, and the others are published once', async () => {
    await open().keep('tnt_a', null, 7, 2);
    const reader = unreadable('A1');
    expect(await expireForecasts({ ...open().options, reader })).toMatchObject({ forecasts: 1, files: 2, skipped: 1 });
    await open().published();
    expect(await expireForecasts({ ...open().options, reader })).toMatchObject({ files: 0, skipped: 1 });
    const pauses: number[] = [];
    const pace = async (tookMs: number): Promise<void> => void pauses.push(tookMs);
    expect(await expireForecasts({ ...open().options, pace })).toMatchObject({ files: 1, skipped: 0 });
    expect(pauses).toHaveLength(1);
    expect(await open().published()).toEqual(['forecast.files_expired tnt_a A1']);
    expect(await expireForecasts(open().options)).toMatchObject({ files: 0 });
  });
});
