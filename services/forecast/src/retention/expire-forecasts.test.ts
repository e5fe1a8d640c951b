import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { useExpiry } from '../testing/expiry-under-test.ts';
import { DAY_MS } from './domain/retention.ts';
import { expireForecasts } from './expire-forecasts.ts';

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

  test('says how long the oldest has been over: since midnight, whenever it ended on its day', async () => {
    await open().end('tnt_a', 8, 'A1');
    await open().keep('tnt_a', 7);
    const midnight = Date.UTC(2026, 10, 26);
    const at = async (now: number) =>
      (await expireForecasts({ ...open().options, archive: undefined, clock: new ManualClock(now) })).overdueMs;
    expect(await at(midnight - 1)).toBe(0);
    expect(await at(midnight + 5 * 60_000)).toBe(5 * 60_000);
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

  test('without an archive deletes all the same', async () => {
    await open().end('tnt_a', 10, 'A1');
    await open().keep('tnt_a', 7);
    expect(await expireForecasts({ ...open().options, archive: undefined })).toMatchObject({ forecasts: 1 });
    expect(await open().archived()).toEqual([]);
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
  const crashing = {
    nextTenant: (after: string) => expiry.nextTenant(after),
    ended: (...given: Parameters<typeof expiry.ended>) => expiry.ended(...given),
    expire: () => Promise.reject(AppError.unavailable('the process was killed')),
    filesExpiredTo: (tenantId: string) => expiry.filesExpiredTo(tenantId),
    expireFiles: (...given: Parameters<typeof expiry.expireFiles>) => expiry.expireFiles(...given),
    filesSkipped: (tenantId: string) => expiry.filesSkipped(tenantId),
    settleFiles: (...given: Parameters<typeof expiry.settleFiles>) => expiry.settleFiles(...given),
  };
  expect(await expireForecasts({ ...open().options, expiry: crashing })).toMatchObject({
    unavailable: { message: 'the process was killed' },
  });
  expect(await open().archived()).toEqual(['tnt_a A1', 'tnt_a A2']);
  expect(await open().left()).toEqual(['A1', 'A2']);
  expect(await expireForecasts(open().options)).toMatchObject({ forecasts: 2 });
  expect(await open().archived()).toEqual(['tnt_a A1', 'tnt_a A2']);
  expect(await open().left()).toEqual([]);
});
