import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { createLoneWorkLease, workLeases } from '@parcelway/store/shared/work-leases';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import { noTelemetry } from '@parcelway/telemetry/telemetry';
import { useExpiry } from '../testing/expiry-under-test.ts';
import { DAY_MS } from './domain/retention.ts';
import { createExpiryTimer, type ExpiryTimerOptions } from './expiry-timer.ts';

const NOW = Date.UTC(2026, 10, 26, 12);

const open = useExpiry();

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'performance'] });
  jest.setSystemTime(NOW);
});
afterEach(() => void jest.useRealTimers());
const minutes = (count: number): Promise<void> => jest.advanceTimersByTimeAsync(count * 60_000);

/** A timer over a store in which nothing has ended. */
function setUp(given: Partial<ExpiryTimerOptions> = {}) {
  const db = new SqliteDatabase(':memory:');
  db.migrate([sqliteSchema([workLeases])]);
  const seen = { turns: 0, sweeps: 0, fails: false, logged: [] as string[], metrics: [] as unknown[] };
  const logger: Logger = {
    ...silentLogger,
    info: (_fields: object, text: string) => void seen.logged.push(text),
    warn: (_fields: object, text: string) => void seen.logged.push(text),
  };
  const expiry = {
    async nextTenant() {
      seen.turns += 1;
      if (seen.fails) throw new Error('the store is out');
      return undefined;
    },
  };
  const options = {
    expiry,
    installation: { forecastMs: 400 * DAY_MS, fileMs: undefined },
    lease: (name: string) => createLoneWorkLease(createSqliteStore({ db }), name),
    clock: systemClock,
    logger,
    metrics: { ...noTelemetry.metrics, set: (...given: unknown[]) => void seen.metrics.push(given) },
    async sweepArchive() {
      seen.sweeps += 1;
      // Two parts each day, and then nothing.
      return seen.sweeps % 3 === 0 ? 0 : 3;
    },
    ...given,
  } as unknown as ExpiryTimerOptions;
  return { timer: createExpiryTimer(options), seen };
}

test('a turn comes at the start and every ten minutes, and the archive is swept once a day', async () => {
  const { timer, seen } = setUp();
  timer.start();
  await minutes(0);
  expect(seen).toMatchObject({ turns: 1, sweeps: 3, metrics: [['parcelway_retention_overdue_seconds', {}, 0]] });
  expect(seen.logged).toEqual(['Objects of the archive were deleted because their retention has ended']);
  await minutes(9);
  expect(seen.turns).toBe(1);
  await minutes(1);
  expect(seen).toMatchObject({ turns: 2, sweeps: 3 });
  await minutes(12 * 60 - 10);
  expect(seen).toMatchObject({ turns: 73, sweeps: 6 });
  await timer.stop();
  await minutes(60);
  expect(seen).toMatchObject({ turns: 73, sweeps: 6 });
});

test.each([
  ['the shorter of both times', { forecastMs: 400 * DAY_MS, fileMs: 5000 }, 5000],
  ['the time of forecasts', { forecastMs: 2000, fileMs: undefined }, 2000],
  ['a second at least', { forecastMs: 100, fileMs: 100 }, 1000],
])('turns come after %s', async (_what, installation, everyMs) => {
  const { timer, seen } = setUp({ installation, sweepArchive: undefined });
  timer.start();
  await jest.advanceTimersByTimeAsync(everyMs - 1);
  expect(seen.turns).toBe(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(seen).toMatchObject({ turns: 2, sweeps: 0 });
  await timer.stop();
});

test('what a turn has deleted is counted and logged', async () => {
  jest.useRealTimers();
  await open().end('tnt_a', 20, 'A1', 'A2');
  await open().end('tnt_a', 10, 'A3');
  await open().keep('tnt_a', 15, 7);
  const counted: unknown[] = [];
  const metrics = { ...noTelemetry.metrics, count: (...given: unknown[]) => void counted.push(given) };
  const { logger: _, ...opened } = open().options;
  const { timer, seen } = setUp({ ...opened, metrics, sweepArchive: undefined });
  timer.start();
  await until(() => seen.logged.length > 0);
  await timer.stop();
  expect(seen.logged).toEqual(['Forecasts were deleted because their retention has ended']);
  expect(counted).toEqual([
    ['parcelway_retention_expired_total', { kind: 'forecast' }, 2],
    ['parcelway_retention_expired_total', { kind: 'files' }, 1],
    ['parcelway_retention_skipped_total', {}, 0],
  ]);
});
