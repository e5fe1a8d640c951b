import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Archive } from '@parcelway/blobs/archive/archive';
import { archiveBatch, readArchived } from '@parcelway/blobs/archive/archive-records';
import { archivedObjects } from '@parcelway/blobs/archive/archive-walk';
import { openDirectoryArchive } from '@parcelway/blobs/archive/directory-archive';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { SqliteForecastStore } from '../adapters/sqlite-forecast-store.ts';
import { forecastMigrations } from '../adapters/sqlite-schema.ts';
import { contentOf } from '../testing/samples.ts';
import { actionsOn } from '../testing/store-under-test.ts';
import { SqliteForecastExpiry } from './adapters/sqlite-forecast-expiry.ts';
import { SqliteTenantRetentions } from './adapters/sqlite-tenant-retentions.ts';
import { DAY_MS } from './domain/retention.ts';
import { expireForecasts } from './expire-forecasts.ts';
import { SkippedForecasts } from './skipped-forecasts.ts';
import type { ExpireOptions } from './tenant-turn.ts';

const NOW = Date.UTC(2026, 10, 26, 12);
const clock = new ManualClock(NOW);
let directory: string;
let db: SqliteDatabase;
let outbox: SqliteOutbox;
let store: SqliteForecastStore;
let archive: Archive;
let options: ExpireOptions;
let paces: number;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'expire-'));
  db = new SqliteDatabase(':memory:');
  db.migrate(forecastMigrations);
  outbox = new SqliteOutbox(db, clock);
  store = new SqliteForecastStore(db, outbox, (id) => id);
  archive = openDirectoryArchive(directory);
  paces = 0;
  options = {
    expiry: new SqliteForecastExpiry(db, outbox),
    retentions: new SqliteTenantRetentions(db),
    reader: store,
    async archive(tenantId, forecasts) {
      const records = forecasts.map(({ record }) => ({ id: record.forecastNo, data: { status: record.status } }));
      await archiveBatch(archive, { tenantId, kind: 'forecasts', records }, clock.now());
    },
    installation: { forecastMs: undefined, fileMs: undefined },
    environment: 'sandbox',
    clock,
    skipped: new SkippedForecasts(),
    logger: silentLogger,
    notify: () => undefined,
    async pace() {
      paces += 1;
    },
    stopping: () => false,
    isErased: () => false,
  };
});
afterEach(() => {
  db.close();
  rmSync(directory, { recursive: true });
});

/** An object with other methods in place of some. */
function instead<T extends object>(object: T, methods: Partial<T>): T {
  return new Proxy(object, {
    get(target, key) {
      const value: unknown = Reflect.get(key in methods ? methods : target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Inserts forecasts that ended so many days before. */
async function end(tenantId: string, days: number, ...numbers: readonly string[]): Promise<void> {
  const { insert, change } = actionsOn(() => store);
  for (const no of numbers) {
    await insert({ no, tenantId, content: JSON.stringify(contentOf(no)) });
    await change(no, { status: 6, updatedAt: NOW - days * DAY_MS }, null, tenantId);
  }
}

const keep = (tenantId: string, forecastDays: number | null, fileDays: number | null = null) =>
  new SqliteTenantRetentions(db).record({ tenantId, version: 1, forecastDays, fileDays });

const left = async (): Promise<string[]> => (await store.scan(null, 1000)).map(({ forecastNo }) => forecastNo);

async function published(): Promise<string[]> {
  const waiting = await outbox.lease(1000);
  await outbox.remove(waiting.map(({ id }) => id));
  return waiting.map(({ value }) => {
    const event = decodeEvent(value);
    return `${event.type} ${event.tenantid} ${event.subject}`;
  });
}

async function archived(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { path, tenantId } of archivedObjects(archive, {})) {
    for (const { id } of (await readArchived(archive, path)) ?? []) ids.push(`${tenantId} ${id}`);
  }
  return ids.sort();
}

describe('a turn', () => {
  test('deletes nothing while nobody has chosen a time', async () => {
    await end('tnt_a', 3000, 'A1');
    expect(await expireForecasts(options)).toEqual({ forecasts: 0, files: 0, skipped: 0, overdueMs: 0 });
    expect(await left()).toEqual(['A1']);
  });

  test('archives and deletes what is over, by the time of each tenant', async () => {
    await end('tnt_a', 8, 'A1');
    await end('tnt_a', 7, 'A2');
    await end('tnt_b', 400, 'B1');
    await end('tnt_c', 31, 'C1');
    await keep('tnt_a', 7);
    await keep('tnt_b', 3650);
    const counts = await expireForecasts({ ...options, installation: { forecastMs: 30 * DAY_MS, fileMs: undefined } });
    // Whole days: what ended seven days ago at noon is over at midnight.
    expect(counts).toMatchObject({ forecasts: 2, files: 0 });
    expect(counts.overdueMs).toBe(DAY_MS / 2);
    expect(await left()).toEqual(['A2', 'B1']);
    expect(await archived()).toEqual(['tnt_a A1', 'tnt_c C1']);
    expect(await published()).toEqual(['forecast.expired tnt_a A1', 'forecast.expired tnt_c C1']);
  });

  test('says how long the oldest has been over: since midnight, whenever it ended on its day', async () => {
    await end('tnt_a', 8, 'A1');
    await keep('tnt_a', 7);
    const midnight = Date.UTC(2026, 10, 26);
    const at = async (now: number) => (await expireForecasts({ ...options, archive: undefined, clock: new ManualClock(now) })).overdueMs;
    expect(await at(midnight - 1)).toBe(0);
    expect(await at(midnight + 5 * 60_000)).toBe(5 * 60_000);
  });

  test('ends after a batch when it is to stop, and pauses between batches', async () => {
    await end('tnt_a', 10, ...Array.from({ length: 120 }, (_, index) => `A${index}`));
    await keep('tnt_a', 7);
    const stopping = (): boolean => paces > 0;
    expect(await expireForecasts({ ...options, stopping })).toMatchObject({ forecasts: 50 });
    expect(await expireForecasts(options)).toMatchObject({ forecasts: 70 });
    expect(paces).toBe(3);
    expect((await archived()).length).toBe(120);
  });

  test('deletes nothing that is not archived, and does so in the next turn', async () => {
    await end('tnt_a', 10, 'A1');
    await keep('tnt_a', 7);
    const out = async (): Promise<never> => Promise.reject(AppError.unavailable('The object store cannot be used now'));
    expect(await expireForecasts({ ...options, archive: out })).toMatchObject({ forecasts: 0, skipped: 0, unavailable: { code: '50301' } });
    expect(await left()).toEqual(['A1']);
    expect(await published()).toEqual([]);
    expect(await expireForecasts(options)).toMatchObject({ forecasts: 1 });
  });

  test('without an archive deletes all the same', async () => {
    await end('tnt_a', 10, 'A1');
    await keep('tnt_a', 7);
    expect(await expireForecasts({ ...options, archive: undefined })).toMatchObject({ forecasts: 1 });
    expect(await archived()).toEqual([]);
  });

  test('archives nothing of an erased tenant, also when it is erased meanwhile', async () => {
    await end('tnt_a', 10, ...Array.from({ length: 120 }, (_, index) => `A${index}`));
    await end('tnt_b', 10, 'B1');
    await keep('tnt_a', 7);
    await keep('tnt_b', 7);
    const isErased = (tenantId: string): boolean => tenantId === 'tnt_a' && paces > 0;
    expect(await expireForecasts({ ...options, isErased })).toMatchObject({ forecasts: 51 });
    expect(await expireForecasts({ ...options, isErased })).toMatchObject({ forecasts: 0 });
    expect((await archived()).filter((id) => id.startsWith('tnt_a'))).toHaveLength(50);
  });

  test('ends files before their forecast, each forecast once', async () => {
    await end('tnt_a', 20, 'A1');
    await end('tnt_a', 10, 'A2');
    await end('tnt_a', 5, 'A3');
    await keep('tnt_a', 15, 7);
    expect(await expireForecasts(options)).toMatchObject({ forecasts: 1, files: 1 });
    expect(await published()).toEqual(['forecast.expired tnt_a A1', 'forecast.files_expired tnt_a A2']);
    expect(await expireForecasts(options)).toMatchObject({ forecasts: 0, files: 0 });
    expect(await left()).toEqual(['A2', 'A3']);
  });
});

describe('a bad forecast', () => {
  const bad = new Error('a forecast that no code of today can read');
  const archiveBut = (...numbers: readonly string[]): ExpireOptions['archive'] => {
    const { archive: write } = options;
    return async (tenantId, forecasts) => {
      if (forecasts.some(({ record }) => numbers.includes(record.forecastNo))) throw bad;
      await write?.(tenantId, forecasts);
    };
  };

  /** The store without a forecast that it cannot read. */
  const unreadable = (no: string): ExpireOptions['reader'] =>
    instead(store as ExpireOptions['reader'], {
      async readByForecastNo(tenantId, forecastNo) {
        if (forecastNo === no) throw bad;
        return store.readByForecastNo(tenantId, forecastNo);
      },
    });

  beforeEach(async () => {
    await end('tnt_a', 20, 'A1', 'A2', 'A3');
    await end('tnt_b', 20, 'B1');
    await keep('tnt_a', 15);
    await keep('tnt_b', 15);
  });

  test('that cannot be archived is skipped, and tried again later', async () => {
    expect(await expireForecasts({ ...options, archive: archiveBut('A2') })).toMatchObject({ forecasts: 3, skipped: 1 });
    expect([await left(), await archived()]).toEqual([['A2'], ['tnt_a A1', 'tnt_a A3', 'tnt_b B1']]);
    expect(await expireForecasts(options)).toMatchObject({ forecasts: 0, skipped: 0 });
    const later = new ManualClock(NOW + 10 * 60_000);
    expect(await expireForecasts({ ...options, clock: later })).toMatchObject({ forecasts: 1, skipped: 0 });
    expect(await left()).toEqual([]);
  });

  test('that cannot be read or deleted is skipped', async () => {
    const reader = unreadable('A1');
    const { expiry } = options;
    const failing: ExpireOptions['expiry'] = instead(expiry, {
      async expire(...given: Parameters<typeof expiry.expire>) {
        if (given[1].some(({ forecast }) => forecast.forecastNo === 'A3')) throw bad;
        return expiry.expire(...given);
      },
    });
    expect(await expireForecasts({ ...options, reader, expiry: failing })).toMatchObject({ forecasts: 2, skipped: 2 });
    expect(await left()).toEqual(['A1', 'A3']);
  });

  test('whose files cannot be ended is tried again, behind those that were', async () => {
    await new SqliteTenantRetentions(db).record({ tenantId: 'tnt_a', version: 2, forecastDays: null, fileDays: 7 });
    const reader = unreadable('A1');
    expect(await expireForecasts({ ...options, reader })).toMatchObject({ forecasts: 1, files: 2, skipped: 1 });
    await published();
    const later = new ManualClock(NOW + 10 * 60_000);
    expect(await expireForecasts({ ...options, clock: later })).toMatchObject({ files: 1, skipped: 0 });
    expect(await published()).toEqual(['forecast.files_expired tnt_a A1']);
    expect(await expireForecasts({ ...options, clock: later })).toMatchObject({ files: 0 });
  });

  test('a tenant whose messages wait does not stop the others', async () => {
    const { expiry } = options;
    const full: ExpireOptions['expiry'] = instead(expiry, {
      async expire(...given: Parameters<typeof expiry.expire>) {
        if (given[0] === 'tnt_a') throw AppError.unavailable('The messages of before are not published yet');
        return expiry.expire(...given);
      },
    });
    expect(await expireForecasts({ ...options, expiry: full })).toMatchObject({ forecasts: 1, unavailable: { code: '50301' } });
    expect(await left()).toEqual(['A1', 'A2', 'A3']);
  });
});

test('a crash between the archive and the deletion is repeated onto the same object', async () => {
  await end('tnt_a', 10, 'A1', 'A2');
  await keep('tnt_a', 7);
  const { expiry } = options;
  const crashing = {
    nextTenant: (after: string) => expiry.nextTenant(after),
    ended: (...given: Parameters<typeof expiry.ended>) => expiry.ended(...given),
    expire: () => Promise.reject(AppError.unavailable('the process was killed')),
    filesExpiredTo: (tenantId: string) => expiry.filesExpiredTo(tenantId),
    expireFiles: (...given: Parameters<typeof expiry.expireFiles>) => expiry.expireFiles(...given),
  };
  expect(await expireForecasts({ ...options, expiry: crashing })).toMatchObject({ unavailable: { message: 'the process was killed' } });
  expect(await archived()).toEqual(['tnt_a A1', 'tnt_a A2']);
  expect(await left()).toEqual(['A1', 'A2']);
  expect(await expireForecasts(options)).toMatchObject({ forecasts: 2 });
  expect(await archived()).toEqual(['tnt_a A1', 'tnt_a A2']);
  expect(await left()).toEqual([]);
});
