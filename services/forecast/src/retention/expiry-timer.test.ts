import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { createLoneWorkLease, workLeases } from '@parcelway/store/shared/work-leases';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import { noTelemetry } from '@parcelway/telemetry/telemetry';
import { retentionLeases } from './adapters/open-retention.ts';
import { DAY_MS } from './domain/retention.ts';
import { createExpiryTimer, type ExpiryTimerOptions } from './expiry-timer.ts';

const NOW = Date.UTC(2026, 10, 26, 12);

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
    leases: retentionLeases((name) => createLoneWorkLease(createSqliteStore({ db }), name)),
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
