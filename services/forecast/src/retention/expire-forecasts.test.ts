import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Archive, archivedObjects } from '@parcelway/blobs/archive/archive';
import { archiveBatch, readArchived } from '@parcelway/blobs/archive/archive-records';
import { openDirectoryArchive } from '@parcelway/blobs/archive/directory-archive';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock, systemClock } from '@parcelway/kernel/clock';
import type { HeldWork } from '@parcelway/kernel/leased-work';
import { type Logger, silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { createLoneWorkLease } from '@parcelway/store/shared/work-leases';
import { noTelemetry } from '@parcelway/telemetry/telemetry';
import { actionsOn, openStores } from '../testing/store-under-test.ts';
import { DAY_MS } from './domain/retention.ts';
import { BATCH, type ExpireOptions, expireForecasts } from './expire-forecasts.ts';
import { createExpiryTimer, type ExpiryTimerOptions } from './expiry-timer.ts';
import { createForecastExpiry } from './forecast-expiry.ts';
import { createTenantRetentions } from './tenant-retention-store.ts';

const NOW = Date.UTC(2026, 10, 26, 12);

let directory: string;
let folder: Archive;
let stores: ReturnType<typeof openStores>;
let options: ExpireOptions;
let paces: number;
/** Tenants whose parts have begun, in order. */
let reached: string[];
/** The work as a process has it that goes on from the last place; the place is kept from turn to turn. */
let heldWork: HeldWork;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'expire-'));
  folder = openDirectoryArchive(directory);
  stores = openStores();
  const clock = new ManualClock(NOW);
  paces = 0;
  reached = [];
  let current = '';
  heldWork = {
    get place() {
      return current;
    },
    async reach(place) {
      current = place;
      reached.push(place);
    },
    async renew(place = current) {
      current = place;
    },
    isOver: () => false,
  };
  options = {
    expiry: createForecastExpiry(stores.documents, () => clock.now()),
    retentions: createTenantRetentions(stores.documents),
    reader: stores.store,
    archive: async (tenantId, forecasts) => {
      const records = forecasts.map(({ record }) => ({ id: record.forecastNo, data: { status: record.status } }));
      await archiveBatch(folder, { tenantId, kind: 'forecasts', records }, clock.now());
    },
    installation: { forecastMs: undefined, fileMs: undefined },
    environment: 'sandbox',
    clock,
    logger: silentLogger,
    notify: () => undefined,
    pace: async () => {
      paces += 1;
    },
    held: heldWork,
    isErased: () => false,
  };
});
afterEach(() => {
  stores.db.close();
  rmSync(directory, { recursive: true });
});

const { insert, change } = actionsOn(() => stores.store);

/** Forecasts of a tenant that ended so many days ago. */
async function end(tenantId: string, days: number, ...nos: readonly string[]): Promise<void> {
  for (const no of nos) {
    await insert({ no, tenantId });
    await change(no, { status: 6, updatedAt: NOW - days * DAY_MS }, null, tenantId);
  }
}

/** Writes what a tenant has chosen. @param version a later choice has a higher one */
const keep = (tenantId: string, forecastDays: number | null, fileDays: number | null = null, version = 1): Promise<void> =>
  createTenantRetentions(stores.documents).record({ tenantId, version, forecastDays, fileDays });

const left = async (): Promise<string[]> =>
  stores.db.all<{ no: string }>('SELECT forecastNo AS no FROM forecasts ORDER BY n').map(({ no }) => no);

/** Takes the messages that wait: type, tenant, and number. */
async function published(): Promise<string[]> {
  const waiting = await stores.log.lease(1000);
  await stores.log.remove(waiting.map(({ id }) => id));
  return waiting.map(({ value }) => {
    const { type, tenantid, subject } = decodeEvent(value);
    return `${type} ${tenantid} ${subject}`;
  });
}

/** Tenants and numbers of the archived forecasts, sorted. */
async function archived(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { path, tenantId } of archivedObjects(folder, {})) {
    for (const { id } of (await readArchived(folder, path)) ?? []) ids.push(`${tenantId} ${id}`);
  }
  return ids.sort();
}

describe('a turn', () => {
  test('deletes nothing while nobody has chosen a time', async () => {
    await end('tnt_a', 3000, 'A1');
    expect(await expireForecasts(options)).toEqual({ forecasts: 0, files: 0, skipped: 0, overdueMs: 0, hasMore: false });
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
    const held = { ...heldWork, isOver: () => paces > 0 };
    expect(await expireForecasts({ ...options, held })).toMatchObject({ forecasts: 50, hasMore: true });
    expect(await expireForecasts(options)).toMatchObject({ forecasts: 70, hasMore: false });
    expect(paces).toBe(3);
    expect((await archived()).length).toBe(120);
  });

  test('deletes nothing that is not archived, and does so in the next turn', async () => {
    await end('tnt_a', 10, 'A1');
    await keep('tnt_a', 7);
    const out = async (): Promise<never> => Promise.reject(AppError.unavailable('The object store cannot be used now'));
    expect(await expireForecasts({ ...options, archive: out })).toMatchObject({
      forecasts: 0,
      skipped: 0,
      unavailable: { code: '50301' },
    });
    expect(await left()).toEqual(['A1']);
    expect(await published()).toEqual([]);
    expect(await expireForecasts(options)).toMatchObject({ forecasts: 1 });
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

test('a crash between the archive and the deletion is repeated onto the same object', async () => {
  await end('tnt_a', 10, 'A1', 'A2');
  await keep('tnt_a', 7);
  const { expiry } = options;
  const crashing = { ...expiry, expire: () => Promise.reject(AppError.unavailable('the process was killed')) };
  expect(await expireForecasts({ ...options, expiry: crashing })).toMatchObject({
    unavailable: { message: 'the process was killed' },
  });
  expect(await archived()).toEqual(['tnt_a A1', 'tnt_a A2']);
  expect(await left()).toEqual(['A1', 'A2']);
  expect(await expireForecasts(options)).toMatchObject({ forecasts: 2 });
  expect(await archived()).toEqual(['tnt_a A1', 'tnt_a A2']);
  expect(await left()).toEqual([]);
});

const PART = 4 * BATCH;

const numbers = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

/** Tenants with forecasts that are over, so many each. */
async function over(tenants: Readonly<Record<string, number>>): Promise<void> {
  for (const [tenantId, count] of Object.entries(tenants)) {
    await end(tenantId, 10, ...numbers(tenantId, count));
    await keep(tenantId, 7);
  }
}

/** The work as a process has it that ends after so many pauses. */
const endingAfter = (most: number): ExpireOptions['held'] => ({ ...heldWork, isOver: () => paces >= most });

describe('the turns of tenants', () => {
  test('begin behind the tenant who had the last one, whose process may have ended within it', async () => {
    await over({ tnt_a: PART + 1, tnt_b: BATCH + 1, tnt_c: 1 });
    await expireForecasts({ ...options, held: endingAfter(1) });
    await expireForecasts({ ...options, held: endingAfter(2) });
    expect(reached).toEqual(['tnt_a', 'tnt_b']);
    expect(await expireForecasts(options)).toMatchObject({ hasMore: false });
    expect(reached).toEqual(['tnt_a', 'tnt_b', 'tnt_c', 'tnt_a', 'tnt_b']);
    expect(await left()).toEqual([]);
  });

  test('go on behind a batch that fails entirely', async () => {
    await over({ tnt_a: BATCH + 1 });
    const bad = new Set(numbers('tnt_a', BATCH));
    const archive: ExpireOptions['archive'] = async (tenantId, forecasts) => {
      if (forecasts.some(({ record }) => bad.has(record.forecastNo))) throw new Error('cannot be archived');
      await options.archive?.(tenantId, forecasts);
    };
    expect(await expireForecasts({ ...options, archive })).toMatchObject({ forecasts: 1, skipped: BATCH, hasMore: false });
  });

  test('reach a tenant behind others with nothing to delete, more than a turn can visit', async () => {
    const others = numbers('tnt_', 9);
    for (const tenantId of others) {
      await end(tenantId, 3, tenantId);
      await keep(tenantId, 7);
    }
    await over({ tnt_z: 1 });
    const clock = new ManualClock(NOW);
    const find: ExpireOptions['retentions']['find'] = async (tenantId) => {
      clock.advance(3 * 60_000);
      return options.retentions.find(tenantId);
    };
    const turn = () => expireForecasts({ ...options, clock, retentions: { find } });
    expect([await turn(), await turn(), await turn()].map(({ forecasts }) => forecasts)).toEqual([0, 0, 1]);
    expect(await left()).toEqual(others);
  });

  const outFor = (...tenants: readonly string[]): ExpireOptions['archive'] => {
    const { archive } = options;
    return async (tenantId, forecasts) => {
      if (tenants.includes(tenantId)) throw AppError.unavailable('Too many messages of the tenant wait');
      await archive?.(tenantId, forecasts);
    };
  };

  test('end when a dependency is out for three tenants in a row; the next one waits, and begins with the remaining tenants', async () => {
    await over({ tnt_a: 1, tnt_b: 1, tnt_c: 1, tnt_d: 1 });
    const archive = outFor('tnt_a', 'tnt_b', 'tnt_c');
    expect(await expireForecasts({ ...options, archive })).toMatchObject({ forecasts: 0, hasMore: false, unavailable: {} });
    expect(await expireForecasts({ ...options, archive })).toMatchObject({ forecasts: 1, hasMore: false, unavailable: {} });
    expect(await left()).toEqual(['tnt_a0', 'tnt_b0', 'tnt_c0']);
  });

  test('count when the tenants cannot be read any more, and the next turn then waits', async () => {
    await over({ tnt_a: 1, tnt_b: 1 });
    const { expiry } = options;
    const nextTenant: typeof expiry.nextTenant = async (after) => {
      if (after !== '') throw AppError.unavailable('The store cannot be used now');
      return expiry.nextTenant(after);
    };
    const unreadable = { ...expiry, nextTenant };
    const counts = await expireForecasts({ ...options, expiry: unreadable });
    expect(counts).toMatchObject({ forecasts: 1, hasMore: false, unavailable: { code: '50301' } });
    expect(await left()).toEqual(['tnt_b0']);
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

  const unreadable = (no: string): ExpireOptions['reader'] => ({
    ...stores.store,
    async readByForecastNo(tenantId, forecastNo) {
      if (forecastNo === no) throw bad;
      return stores.store.readByForecastNo(tenantId, forecastNo);
    },
  });

  beforeEach(async () => {
    await end('tnt_a', 20, 'A1', 'A2', 'A3');
    await end('tnt_b', 20, 'B1');
    await keep('tnt_a', 15);
    await keep('tnt_b', 15);
  });

  test('that cannot be archived is skipped, and retried in the next turn', async () => {
    expect(await expireForecasts({ ...options, archive: archiveBut('A2') })).toMatchObject({ forecasts: 3, skipped: 1 });
    expect([await left(), await archived()]).toEqual([['A2'], ['tnt_a A1', 'tnt_a A3', 'tnt_b B1']]);
    expect(await expireForecasts(options)).toMatchObject({ forecasts: 1, skipped: 0 });
    expect(await left()).toEqual([]);
  });

  test('that cannot be read or deleted leaves the others to be archived together, once', async () => {
    const written: string[][] = [];
    const archive: ExpireOptions['archive'] = async (_tenantId, forecasts) =>
      void written.push(forecasts.map(({ record }) => record.forecastNo));
    const expire: ExpireOptions['expiry']['expire'] = async (tenantId, some) => {
      if (some.some(({ forecast }) => forecast.value.forecastNo === 'A2')) throw bad;
      return options.expiry.expire(tenantId, some);
    };
    const given = { ...options, archive, reader: unreadable('A1'), expiry: { ...options.expiry, expire } };
    expect(await expireForecasts(given)).toMatchObject({ forecasts: 2, skipped: 2 });
    expect([written, await left()]).toEqual([
      [['A2', 'A3'], ['B1']],
      ['A1', 'A2'],
    ]);
  });

  test('whose files cannot be ended is retried in each turn, and the others are published once', async () => {
    await keep('tnt_a', null, 7, 2);
    const reader = unreadable('A1');
    expect(await expireForecasts({ ...options, reader })).toMatchObject({ forecasts: 1, files: 2, skipped: 1 });
    await published();
    expect(await expireForecasts({ ...options, reader })).toMatchObject({ files: 0, skipped: 1 });
    const pauses: number[] = [];
    const pace = async (tookMs: number): Promise<void> => void pauses.push(tookMs);
    expect(await expireForecasts({ ...options, pace })).toMatchObject({ files: 1, skipped: 0 });
    expect(pauses).toHaveLength(1);
    expect(await published()).toEqual(['forecast.files_expired tnt_a A1']);
    expect(await expireForecasts(options)).toMatchObject({ files: 0 });
  });
});

/** A timer over a store in which nothing has ended. */
function setUp(given: Partial<ExpiryTimerOptions> = {}) {
  const seen = { turns: 0, sweeps: 0, logged: [] as string[], metrics: [] as unknown[] };
  const logger: Logger = {
    ...silentLogger,
    info: (_fields: object, text: string) => void seen.logged.push(text),
    warn: (_fields: object, text: string) => void seen.logged.push(text),
  };
  const expiry = {
    async nextTenant() {
      seen.turns += 1;
      return undefined;
    },
  };
  const options = {
    expiry,
    installation: { forecastMs: 400 * DAY_MS, fileMs: undefined },
    lease: (name: string) => createLoneWorkLease(stores.documents, name),
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

describe('the timer', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'performance'] });
    jest.setSystemTime(NOW);
  });
  afterEach(() => void jest.useRealTimers());
  const minutes = (count: number): Promise<void> => jest.advanceTimersByTimeAsync(count * 60_000);

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
    await end('tnt_a', 20, 'A1', 'A2');
    await end('tnt_a', 10, 'A3');
    await keep('tnt_a', 15, 7);
    const counted: unknown[] = [];
    const metrics = { ...noTelemetry.metrics, count: (...given: unknown[]) => void counted.push(given) };
    const { logger: _, ...opened } = options;
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
});
