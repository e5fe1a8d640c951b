import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MAX_UNFINISHED_IMPORTS } from '@parcelway/contracts/import-limits';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { forecastMigrations } from '../adapters/sqlite-schema.ts';
import { SqliteImportStore } from './adapters/sqlite-import-store.ts';
import type { ImportRecord } from './ports.ts';
import { type IncomingSpreadsheet, type StartImportOptions, startImport } from './start-import.ts';

const TENANT = 'tnt_a';

let db: SqliteDatabase;
let store: SqliteImportStore;
let files: Set<string>;
let read: number;

beforeEach(() => {
  db = new SqliteDatabase(':memory:');
  db.migrate(forecastMigrations);
  store = new SqliteImportStore(db);
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
    sha256: () => '',
    choice: () => ({ mapping: {}, validateOnly: false }),
    seed: () => seed,
  };
  const options: StartImportOptions = {
    store,
    files: {
      read: async () => undefined,
      delete: async (key) => void files.delete(key),
      async put(key, content) {
        for await (const _chunk of content);
        files.add(key);
      },
    },
    clock: new ManualClock(Date.UTC(2026, 10, 21)),
    logger: silentLogger,
    wake: () => undefined,
    repeatPausesMs: [0, 0],
    ...changes,
  };
  return startImport(options, TENANT, 'key_1', incoming);
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
  return {
    begin: (...given) => (method === 'begin' ? lose(store.begin(...given)) : store.begin(...given)),
    ready: (...given) => (method === 'ready' ? lose(store.ready(...given)) : store.ready(...given)),
    ofSeed: (...given) => store.ofSeed(...given),
    find: (name) => store.find(name),
    remove: (name) => store.remove(name),
  };
}

describe('an import', () => {
  test('has the key that began it', async () => {
    expect(await start(undefined)).toMatchObject({ state: 'running', keyId: 'key_1', fileName: 'a.csv' });
  });

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
    const failing = { ...losing('begin', 0), ready: () => Promise.reject(unavailable()) };
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
