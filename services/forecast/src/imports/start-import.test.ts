import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MAX_UNFINISHED_IMPORTS } from '@parcelway/contracts/import-limits';
import { AppError } from '@parcelway/kernel/app-error';
import { silentLogger } from '@parcelway/kernel/logger';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { importJob } from '../testing/import-forms.ts';
import { openStores } from '../testing/store-under-test.ts';
import type { ImportStop } from './domain/import-stop.ts';
import { type ImportRecord, importStops } from './import-collections.ts';
import { createImportStops, createImportStore, type ImportStore } from './import-store.ts';
import { type IncomingSpreadsheet, type StartImportOptions, startImport } from './start-import.ts';
import { stopImports } from './stop-imports.ts';

const TENANT = 'tnt_a';
const ARRIVED_AT = Date.UTC(2026, 10, 21);

let db: SqliteDatabase;
let store: ImportStore;
let files: Set<string>;
let read: number;

beforeEach(() => {
  const stores = openStores();
  ({ db } = stores);
  store = createImportStore(stores.documents);
  files = new Set();
  read = 0;
});
afterEach(() => db.close());

const unavailable = (): AppError => AppError.unavailable('The response got lost');

function start(seed: string | undefined, changes: Partial<StartImportOptions> = {}): Promise<ImportRecord> {
  const incoming: IncomingSpreadsheet = {
    name: 'a.csv',
    kind: 'csv',
    hasKey: seed !== undefined,
    content: Readable.from(['PO', '\nP1']).on('end', () => {
      read += 1;
    }),
    ended: () => ({ sha256: '', choice: { mapping: {}, validateOnly: false }, seed }),
  };
  const options: StartImportOptions = {
    store,
    stops: createImportStops(createSqliteStore({ db })),
    files: {
      read: async () => undefined,
      delete: async (key) => void files.delete(key),
      async put(key, content) {
        for await (const _chunk of content);
        files.add(key);
      },
    },
    logger: silentLogger,
    wake: () => undefined,
    repeatPausesMs: [0, 0],
    ...changes,
  };
  return startImport(options, { tenantId: TENANT, keyId: 'key_1', arrivedAt: ARRIVED_AT }, incoming);
}

/** The store, of which so many responses to a method get lost: the writes happen. */
function losing(method: 'begin' | 'ready', responses: number): StartImportOptions['store'] {
  let lost = 0;
  const lose = async <T>(response: Promise<T>): Promise<T> => {
    const value = await response;
    if (lost === responses) return value;
    lost += 1;
    throw unavailable();
  };
  return method === 'begin'
    ? { ...store, begin: (...given) => lose(store.begin(...given)) }
    : { ...store, ready: (...given) => lose(store.ready(...given)) };
}

describe('an import', () => {
  test.each(['begin', 'ready'] as const)('begins once when a response to %s gets lost', async (method) => {
    const record = await start(undefined, { store: losing(method, 2) });
    expect(record.state).toBe('running');
    expect(await store.unfinished(TENANT)).toEqual([record]);
    expect([...files]).toEqual([record.fileKey]);
  });

  test('that runs stays, though its uploader hears of a failure, who gets it by another try', async () => {
    await expect(start('seed', { store: losing('ready', 3) })).rejects.toMatchObject({ code: '42207' });
    const [running] = (await store.unfinished(TENANT)) as [ImportRecord];
    expect(running.state).toBe('running');
    expect(await start('seed')).toEqual(running);
    expect(await store.unfinished(TENANT)).toEqual([running]);
    expect([...files]).toEqual([running.fileKey]);
  });

  test('that does not run yet is removed with its file when the upload fails', async () => {
    const failing = { ...store, ready: () => Promise.reject(unavailable()) };
    await expect(start('seed', { store: failing })).rejects.toMatchObject({ code: '42207' });
    expect([await store.unfinished(TENANT), files.size]).toEqual([[], 0]);
  });

  test('is given to whoever repeats its request, also when the tenant has as many as it may have', async () => {
    const begun: ImportRecord[] = [];
    for (let number = 0; number < MAX_UNFINISHED_IMPORTS; number += 1) begun.push(await start(`seed ${number}`));
    expect(await start('seed 3')).toEqual(begun[3]);
    await expect(start('another')).rejects.toMatchObject({ code: '40902' });
    const before = read;
    await expect(start(undefined)).rejects.toMatchObject({ code: '40902' });
    // Nobody needs the content of that one.
    expect(read).toBe(before);
    expect(await store.unfinished(TENANT)).toEqual(begun);
  });
});

describe('a stop and an upload', () => {
  const revoked: ImportStop = { tenantId: TENANT, keyId: 'key_1', at: ARRIVED_AT };
  const suspended: ImportStop = { tenantId: TENANT, keyId: null, at: ARRIVED_AT };
  const stops = () => createImportStops(createSqliteStore({ db }));
  const stop = (which: ImportStop) =>
    stopImports(
      { store, stops: stops(), files: { delete: async (key) => void files.delete(key) }, clock: { now: () => ARRIVED_AT + 60_000 } },
      which,
    );
  /** The store, with something else that happens before or after a call. */
  const around = (method: 'begin' | 'ready', when: 'before' | 'after', happens: () => Promise<void>): StartImportOptions['store'] => {
    const call = async <T>(work: () => Promise<T>): Promise<T> => {
      if (when === 'before') await happens();
      const outcome = await work();
      if (when === 'after') await happens();
      return outcome;
    };
    return method === 'begin'
      ? { ...store, begin: (...given) => call(() => store.begin(...given)) }
      : { ...store, ready: (...given) => call(() => store.ready(...given)) };
  };

  test.each([
    ['revoked', revoked, '40003', /key was revoked during the upload/],
    ['suspended', suspended, '40302', /tenant was suspended during the upload/],
  ] as const)('begins nothing, whenever the stop comes: %s', async (_what, which, code, message) => {
    const refused = { code, message: expect.stringMatching(message) };
    for (const [method, when] of [
      ['begin', 'before'],
      ['begin', 'after'],
      ['ready', 'before'],
    ] as const) {
      await expect(start('seed', { store: around(method, when, () => stop(which)) })).rejects.toMatchObject(refused);
      expect([await store.unfinished(TENANT), files.size]).toEqual([[], 0]);
      await createSqliteStore({ db }).deleteRange(importStops.by.noted, { eq: [], limit: 10 });
    }
    const begun = await start('seed', { store: around('ready', 'after', () => stop(which)) });
    expect(await store.find(begun)).toMatchObject({ state: 'cancelled', error: { code } });
    expect([await store.unfinished(TENANT), files.size]).toEqual([[], 0]);
  });

  test('that begins between the read of the stop and its write is stopped', async () => {
    const job = importJob(TENANT, 'imp_1', 1);
    await store.begin(job, 10);
    const options = { store, stops: stops(), clock: { now: () => 5 } };
    const startsThen = { delete: async () => void (await store.ready(job, { mapping: {}, validateOnly: false }, undefined)) };
    await stopImports({ ...options, files: startsThen }, revoked);
    expect(await store.find(job)).toMatchObject({ state: 'cancelled', finishedAt: 5 });
  });

  test('of another key, another tenant or long before keep nobody', async () => {
    await stop({ ...revoked, keyId: 'key_2' });
    await stop({ ...suspended, tenantId: 'tnt_b' });
    // It was resumed meanwhile: the request passed.
    await stop({ ...suspended, at: ARRIVED_AT - 10_001 });
    expect(await start(undefined)).toMatchObject({ state: 'running', createdAt: ARRIVED_AT });
  });

  test('of a moment ago keep an upload, because clocks differ', async () => {
    await stop({ ...suspended, at: ARRIVED_AT - 10_000 });
    await expect(start(undefined)).rejects.toMatchObject({ code: '40302' });
  });
});
