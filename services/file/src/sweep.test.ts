import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ManualClock, systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { createLoneWorkLease, workLeases } from '@parcelway/store/shared/work-leases';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import { createSweeper, SWEEP_BATCH, type SweepOptions, sweepAbandoned } from './sweep.ts';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'performance'] }));

afterEach(() => void jest.useRealTimers());

const seconds = (count: number): Promise<void> => jest.advanceTimersByTimeAsync(count * 1000);

/** Sweepers that share a lease, over contents of which so many are abandoned. */
function setUp(abandoned: number, sweepers: number) {
  const db = new SqliteDatabase(':memory:');
  db.declare(sqliteSchema([workLeases]));
  const seen = { left: abandoned, deleted: 0, claims: 0, logged: [] as unknown[] };
  const lease = createLoneWorkLease(createSqliteStore({ db }), 'sweep');
  const options = {
    lease,
    clock: systemClock,
    logger: {
      ...silentLogger,
      info: (fields: object) => void seen.logged.push(fields),
    },
    abandoned: {
      async claim(_before: number, limit: number) {
        seen.claims += 1;
        return Array.from({ length: Math.min(limit, seen.left) }, (_, index) => ({ ownerId: 'tnt_a', storageKey: `pdf/${index}` }));
      },
      async forget() {
        seen.left -= 1;
      },
    },
    unused: { retireUnused: async () => 0 },
    blobs: {
      async delete() {
        seen.deleted += 1;
      },
    },
    maxAgeMs: 1,
  };
  return { seen, sweepers: Array.from({ length: sweepers }, () => createSweeper(options)) };
}

test('one of several sweeps, until little is left, and again each minute', async () => {
  const { seen, sweepers } = setUp(2 * SWEEP_BATCH + 1, 3);
  for (const sweeper of sweepers) sweeper.start();
  await seconds(0);
  expect(seen).toMatchObject({ left: 0, deleted: 2 * SWEEP_BATCH + 1, claims: 3, logged: [{ removed: 2 * SWEEP_BATCH + 1 }] });
  await seconds(59);
  expect(seen.claims).toBe(3);
  await seconds(1);
  expect(seen.claims).toBe(4);
  await Promise.all(sweepers.map((sweeper) => sweeper.stop()));
  await seconds(600);
  expect(seen.claims).toBe(4);
});

test('a sweep removes contents that began before their time, a hundred at most, and then forgets them', async () => {
  const calls: unknown[][] = [];
  const claimed = ['pdf/1', 'photo/2'].map((storageKey) => ({ ownerId: 'tnt_1', storageKey }));
  const options: SweepOptions = {
    abandoned: {
      async claim(before, limit) {
        calls.push(['claim', before, limit]);
        return claimed;
      },
      forget: async (ownerId, storageKey) => void calls.push(['forget', ownerId, storageKey]),
    },
    unused: {
      async retireUnused(before, limit) {
        calls.push(['retire unused', before, limit]);
        return 1;
      },
    },
    blobs: { delete: async (storageKey) => void calls.push(['delete', storageKey]) },
    clock: new ManualClock(100_000_000),
    maxAgeMs: 1000,
  };
  expect(await sweepAbandoned(options)).toBe(2);
  expect(calls).toEqual([
    ['claim', 99_999_000, 100],
    ['delete', 'pdf/1'],
    ['forget', 'tnt_1', 'pdf/1'],
    ['delete', 'photo/2'],
    ['forget', 'tnt_1', 'photo/2'],
    ['retire unused', 13_600_000, 100],
  ]);
});
