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
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { SqliteForecastStore } from '../adapters/sqlite-forecast-store.ts';
import { forecastMigrations } from '../adapters/sqlite-schema.ts';
import { contentOf } from '../testing/samples.ts';
import { actionsOn } from '../testing/store-under-test.ts';
import { SqliteForecastExpiry } from './adapters/sqlite-forecast-expiry.ts';
import { SqliteTenantRetentions } from './adapters/sqlite-tenant-retentions.ts';
import { DAY_MS } from './domain/retention.ts';
import { type ExpireOptions, expireForecasts } from './expire-forecasts.ts';

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
    notify: () => undefined,
    async pace() {
      paces += 1;
    },
    stopping: () => false,
  };
});
afterEach(() => {
  db.close();
  rmSync(directory, { recursive: true });
});

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
    expect(await expireForecasts(options)).toEqual({ forecasts: 0, files: 0, overdueMs: 0 });
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
    await expect(expireForecasts({ ...options, archive: out })).rejects.toMatchObject({ code: '50301' });
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

test('a crash between the archive and the deletion is repeated onto the same object', async () => {
  await end('tnt_a', 10, 'A1', 'A2');
  await keep('tnt_a', 7);
  const { expiry } = options;
  const crashing = {
    nextTenant: (after: string) => expiry.nextTenant(after),
    ended: (...given: Parameters<typeof expiry.ended>) => expiry.ended(...given),
    expire: () => Promise.reject(new Error('the process was killed')),
    filesExpiredTo: (tenantId: string) => expiry.filesExpiredTo(tenantId),
    expireFiles: (...given: Parameters<typeof expiry.expireFiles>) => expiry.expireFiles(...given),
  };
  await expect(expireForecasts({ ...options, expiry: crashing })).rejects.toThrow('killed');
  expect(await archived()).toEqual(['tnt_a A1', 'tnt_a A2']);
  expect(await left()).toEqual(['A1', 'A2']);
  expect(await expireForecasts(options)).toMatchObject({ forecasts: 2 });
  expect(await archived()).toEqual(['tnt_a A1', 'tnt_a A2']);
  expect(await left()).toEqual([]);
});
