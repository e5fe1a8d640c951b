import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import type { UsageOfDay } from '@parcelway/kernel/usage-counter';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { createLoneWorkLease, workLeases } from '@parcelway/store/shared/work-leases';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import { createStorageMeasurement, STORAGE_PAGE, type StoredContents } from './measure-storage.ts';

const DAY_MS = 86_400_000;
const NOON = Date.parse('2026-02-01T12:00:00Z');
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'performance', 'setImmediate'], now: NOON });
});
afterEach(() => void jest.useRealTimers());

/** Lets the work go on, which takes turns of the event loop, and time pass. */
async function pass(ms: number): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  await jest.advanceTimersByTimeAsync(ms);
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Measurements that share a lease, over tenants with so many PDFs and images of 10 bytes. */
function setUp(tenants: Record<string, readonly [pdfs: number, images: number]>, everyMs = DAY_MS) {
  const db = new SqliteDatabase(':memory:');
  db.migrate([sqliteSchema([workLeases])]);
  const seen = { kept: [] as UsageOfDay[], limits: new Set<number>(), pages: 0, erased: '', failsAt: '', logged: [] as string[] };
  const stored: StoredContents = {
    nextTenant: async (after) => Object.keys(tenants).find((id) => id > after),
    async page(tenantId, kind, after, limit) {
      if (tenantId === seen.failsAt) throw new Error('the store is out');
      seen.pages += 1;
      seen.limits.add(limit);
      const [pdfs = 0, images = 0] = tenants[tenantId] ?? [];
      const first = Number(after);
      const files = Math.min(limit, (kind === 'pdf' ? pdfs : images) - first);
      return { files, bytes: 10 * files, last: String(first + files) };
    },
  };
  const open = () =>
    createStorageMeasurement({
      lease: createLoneWorkLease(createSqliteStore({ db }), 'measure'),
      stored,
      usage: { set: async (measured) => void seen.kept.push(measured) },
      isErased: (tenantId) => tenantId === seen.erased,
      clock: systemClock,
      logger: { ...silentLogger, warn: (_fields: object, text: string) => void seen.logged.push(text) },
      everyMs,
    });
  return { seen, tenants, open };
}
const measured = (tenantId: string, day: string, files: number): UsageOfDay => ({
  tenantId,
  day,
  amounts: { storage_files: files, storage_bytes: 10 * files },
});

describe('the measurement of what is stored', () => {
  test('measures each tenant in pages after the start, once a day, and again soon after the next day has begun', async () => {
    const { seen, tenants, open } = setUp({ tnt_1: [2 * STORAGE_PAGE + 1, 3], tnt_2: [0, 0] });
    const work = open();
    work.start();
    await pass(0);
    expect(seen.kept).toEqual([measured('tnt_1', '2026-02-01', 2 * STORAGE_PAGE + 4), measured('tnt_2', '2026-02-01', 0)]);
    expect([seen.pages, ...seen.limits]).toEqual([6, STORAGE_PAGE]);
    await pass(DAY_MS / 2 - 1000);
    expect(seen.kept).toHaveLength(2);
    tenants['tnt_1'] = [1, 0];
    await pass(1000);
    expect(seen.kept.slice(2)).toEqual([measured('tnt_1', '2026-02-02', 1), measured('tnt_2', '2026-02-02', 0)]);
    await work.stop();
    await pass(2 * DAY_MS);
    expect(seen.kept).toHaveLength(4);
  });

  test('goes on after a failure with the tenant at which it failed', async () => {
    const { seen, open } = setUp({ tnt_1: [1, 0], tnt_2: [2, 0], tnt_3: [3, 0] });
    seen.failsAt = 'tnt_2';
    const work = open();
    work.start();
    await pass(0);
    expect([seen.kept.length, seen.logged]).toEqual([1, [expect.stringContaining('The next run goes on')]]);
    seen.failsAt = '';
    await pass(60_000);
    expect(seen.kept.map(({ tenantId }) => tenantId)).toEqual(['tnt_1', 'tnt_2', 'tnt_3']);
    await work.stop();
  });

  test('keeps nothing of an erased tenant, also of one that is erased meanwhile, and goes on behind it', async () => {
    const { seen, open, tenants } = setUp({ tnt_1: [1, 0], tnt_2: [1, 0] });
    Object.defineProperty(tenants, 'tnt_1', {
      enumerable: true,
      get() {
        seen.erased = 'tnt_1';
        return [1, 0];
      },
    });
    const work = open();
    work.start();
    await pass(0);
    await work.stop();
    expect(seen.kept.map(({ tenantId }) => tenantId)).toEqual(['tnt_2']);
    const { seen: others, open: openOthers } = setUp({ tnt_1: [1, 0] });
    others.erased = 'tnt_1';
    const second = openOthers();
    second.start();
    await pass(0);
    await second.stop();
    expect([others.pages, others.kept]).toEqual([0, []]);
  });

  test('ends between two pages when the process stops, and the next start begins with that tenant', async () => {
    const { seen, open } = setUp({ tnt_1: [1, 0], tnt_2: [100 * STORAGE_PAGE, 0] });
    const first = open();
    first.start();
    await jest.advanceTimersByTimeAsync(0);
    while (seen.pages < 10) await new Promise((resolve) => setImmediate(resolve));
    await first.stop();
    const pages = seen.pages;
    expect([seen.kept.map(({ tenantId }) => tenantId), pages < 20]).toEqual([['tnt_1'], true]);
    const second = open();
    second.start();
    while (seen.kept.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await second.stop();
    expect(seen.kept.at(-1)).toEqual(measured('tnt_2', '2026-02-01', 100 * STORAGE_PAGE));
  });
});
