import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { createLoneWorkLease } from '@parcelway/store/shared/work-leases';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { csvOf, importJob } from '../testing/import-forms.ts';
import { openStores } from '../testing/store-under-test.ts';
import { readCsv } from './adapters/reading/read-csv.ts';
import type { ImportRecord } from './import-collections.ts';
import { createImportStore, IMPORTS_KEPT_MS, type ImportStore, TakenOver } from './import-store.ts';
import { createImportRunner, type RunImportsOptions } from './run-imports.ts';

let db: SqliteDatabase;
let store: ImportStore;
let files: Map<string, Uint8Array<ArrayBuffer>>;
let submitted: string[];
let erased: Set<string>;
let stops: (() => Promise<void>)[];
let numberOfImports: number;
const clock = new ManualClock(Date.UTC(2026, 10, 21));

beforeEach(() => {
  const stores = openStores();
  ({ db } = stores);
  store = createImportStore(stores.documents);
  files = new Map();
  submitted = [];
  erased = new Set();
  stops = [];
  numberOfImports = 0;
});
afterEach(async () => {
  for (const stop of stops) await stop();
  db.close();
});

const fileStore = {
  read: async (key: string) => files.get(key),
  delete: async (key: string) => void files.delete(key),
};

const accepted = { forecastNo: 'F', poNumber: 'P', itemCount: 1, createdAt: 1, warnings: [], replayed: false };
const noting = (failures: unknown[]) =>
  ({ ...silentLogger, warn: (fields: { readonly err?: unknown }) => void failures.push(fields.err) }) as typeof silentLogger;
/** A promise to hold work with, and what lets it continue. */
function gate(): { readonly held: Promise<void>; readonly mayGoOn: () => void } {
  let mayGoOn = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    mayGoOn = resolve;
  });
  return { held, mayGoOn };
}

function start(changes: Partial<RunImportsOptions> = {}): () => void {
  const runner = createImportRunner({
    store,
    files: fileStore,
    reader: { read: (content) => readCsv(content) },
    async submit(tenantId, body, _traceparent, forecastNo = '') {
      const { po_number: poNumber } = body as { readonly po_number: string };
      submitted.push(`${tenantId} ${poNumber}`);
      return { ...accepted, forecastNo, poNumber };
    },
    validate: async () => ({ existing: undefined, errors: [], warnings: [], content: undefined }),
    forecasts: { readByForecastNo: async () => undefined },
    lease: createLoneWorkLease(createSqliteStore({ db }), 'imports'),
    clock,
    logger: silentLogger,
    isErased: (tenantId) => erased.has(tenantId),
    ...changes,
  });
  runner.start();
  stops.push(() => runner.stop());
  return () => runner.wake();
}

async function upload(tenantId: string, content: string): Promise<ImportRecord> {
  numberOfImports += 1;
  const job = importJob(tenantId, `imp_${String(numberOfImports).padStart(3, '0')}`, clock.now());
  files.set(job.fileKey, new Uint8Array(Buffer.from(content)));
  await store.begin(job, 10);
  await store.ready(job, { mapping: {}, validateOnly: false }, undefined);
  return (await store.find(job)) as ImportRecord;
}

const rows = (prefix: string, count: number): string =>
  csvOf(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 'A', 1] as const));
const finished = (record: ImportRecord): Promise<ImportRecord> =>
  until(async () => {
    const now = await store.find(record);
    return now && now.state !== 'running' ? now : undefined;
  });

describe('imports', () => {
  test('of a tenant run one after the other, and lose their files once they are read', async () => {
    const first = await upload('tnt_a', rows('A', 300));
    const second = await upload('tnt_a', rows('B', 3));
    start();
    expect(await finished(second)).toMatchObject({ state: 'done', total: 3, accepted: 3 });
    expect(await finished(first)).toMatchObject({ state: 'done', total: 300 });
    expect(submitted).toHaveLength(303);
    expect(submitted.slice(300)).toEqual(['tnt_a B0', 'tnt_a B1', 'tnt_a B2']);
    expect(files.size).toBe(0);
  });

  test('are submitted while another file is read, and tenants take turns at reading', async () => {
    const other = await upload('tnt_a', rows('A', 300));
    const next = await upload('tnt_a', rows('B', 1));
    const slow = await upload('tnt_b', rows('C', 1));
    await upload('tnt_b', rows('D', 1));
    const { held, mayGoOn } = gate();
    const reads: string[] = [];
    start({
      reader: {
        async *read(content, _kind, { tenantId }) {
          reads.push(tenantId);
          if (reads.length === 2) await held;
          yield* readCsv(content);
        },
      },
    });
    expect(await finished(other)).toMatchObject({ state: 'done', accepted: 300 });
    expect((await store.find(slow))?.phase).not.toBe('submitting');
    mayGoOn();
    await finished(next);
    expect(reads.slice(0, 3)).toEqual(['tnt_a', 'tnt_b', 'tnt_a']);
  });

  test('keep the work, however long a file is read', async () => {
    const setIntervalOnly = [
      'setTimeout',
      'clearTimeout',
      'setImmediate',
      'clearImmediate',
      'nextTick',
      'queueMicrotask',
      'performance',
      'Date',
    ];
    jest.useFakeTimers({ doNotFake: setIntervalOnly as never });
    const lease = createLoneWorkLease(createSqliteStore({ db }), 'imports');
    const { held, mayGoOn } = gate();
    try {
      const record = await upload('tnt_a', rows('A', 1));
      let isReading = false;
      start({
        lease,
        reader: {
          async *read(content) {
            isReading = true;
            await held;
            yield* readCsv(content);
          },
        },
      });
      await until(() => isReading);
      for (let tick = 0; tick < 12; tick += 1) {
        clock.advance(5000);
        await jest.advanceTimersByTimeAsync(5000);
      }
      expect(await lease.take(clock.now(), clock.now() + 30_000, clock.now())).toBeUndefined();
      mayGoOn();
      await finished(record);
    } finally {
      mayGoOn();
      jest.useRealTimers();
    }
  });

  test('go on where they were after the process has ended', async () => {
    const record = await upload('tnt_a', rows('A', 1000));
    let calls = 0;
    start({
      async submit() {
        calls += 1;
        if (calls > 200) void stops[0]?.();
        return accepted;
      },
    });
    await until(async () => ((await store.find(record))?.accepted ?? 0) > 0);
    await stops.pop()?.();
    const before = (await store.find(record)) as ImportRecord;
    expect(before).toMatchObject({ state: 'running', phase: 'submitting' });
    start();
    expect(await finished(record)).toMatchObject({ state: 'done', accepted: 1000, forecastsAccepted: 1000 });
    expect(new Set(submitted).size).toBe(submitted.length);
    expect(submitted.length).toBeLessThanOrEqual(1000 - before.accepted);
  });

  test('that another process has taken meanwhile are left to it', async () => {
    const record = await upload('tnt_a', rows('A', 10));
    const { held, mayGoOn } = gate();
    const failures: unknown[] = [];
    const wake = start({
      logger: noting(failures),
      async submit(tenantId, body) {
        submitted.push(`${tenantId} ${(body as { readonly po_number: string }).po_number}`);
        await held;
        return accepted;
      },
    });
    await until(() => submitted.length === 10);
    const taken = (await store.take(record)) as ImportRecord;
    mayGoOn();
    await until(() => failures.length > 0);
    expect(failures).toEqual([expect.any(TakenOver)]);
    expect(await store.find(record)).toEqual(taken);
    expect(await store.pending(record, { rows: 20, characters: 1e6 })).toHaveLength(10);
    // The other one has ended, and this process has the work yet.
    wake();
    expect(await finished(record)).toMatchObject({ state: 'done', accepted: 10, forecastsAccepted: 10 });
  });

  test('whose reading another process has taken keep their files', async () => {
    const record = await upload('tnt_a', rows('A', 3));
    const failures: unknown[] = [];
    start({
      logger: noting(failures),
      reader: {
        async *read(content) {
          yield* readCsv(content);
          if (failures.length === 0) await store.take(record);
        },
      },
    });
    await until(() => failures.length > 0);
    expect(failures).toEqual([expect.any(TakenOver)]);
    expect(await store.find(record)).toMatchObject({ state: 'running', phase: 'reading' });
    expect(files.size).toBe(1);
  });

  test.each([
    ['a pause', () => clock.advance(2000)],
    ['a wake', (wake: () => void) => wake()],
  ])('of a tenant that failed for now go on after %s, though another one runs', async (_name, endRest) => {
    const record = await upload('tnt_b', rows('B', 2));
    await upload('tnt_a', rows('A', 4000));
    let failures = 0;
    const wake = start({
      files: {
        ...fileStore,
        async read(key) {
          if (key.startsWith('tnt_b') && failures === 0) {
            failures += 1;
            throw AppError.unavailable('The storage is out');
          }
          return fileStore.read(key);
        },
      },
      async submit(tenantId) {
        submitted.push(tenantId);
        if (failures === 1) endRest(wake);
        // The import of tnt_a lasts until the runner has looked for other tenants, however fast the machine is.
        if (!submitted.includes('tnt_b')) await pause(50);
        return accepted;
      },
    });
    await finished(record);
    expect(failures).toBe(1);
    expect(submitted.indexOf('tnt_b')).toBeLessThan(4000);
  });

  test('that end the process each time fail after five starts, and the others go on', async () => {
    const record = await upload('tnt_a', rows('A', 1));
    const other = await upload('tnt_b', rows('B', 1));
    await store.note(record, { starts: 5 });
    await store.note(other, { starts: 4 });
    start();
    expect((await finished(record)).error).toMatchObject({ code: '50000', message: expect.stringContaining('did not get further') });
    expect(await finished(other)).toMatchObject({ state: 'done', accepted: 1 });
  });

  test('note a start before they read, and forget it when they have got further', async () => {
    const record = await upload('tnt_a', rows('A', 600));
    const seen: (number | undefined)[] = [];
    const note = async () => seen.push((await store.find(record))?.starts);
    start({
      reader: {
        async *read(content) {
          await note();
          yield* readCsv(content);
        },
      },
      async submit() {
        await note();
        return accepted;
      },
    });
    await finished(record);
    expect([seen[0], seen[1], seen.at(-1)]).toEqual([1, 1, 0]);
  });

  test('note no start while they wait for the turns of others', async () => {
    await upload('tnt_a', rows('A', 1));
    const { held, mayGoOn } = gate();
    let isReleased = false;
    const noted: [starts: number, isReleased: boolean][] = [];
    const note: ImportStore['note'] = (record, set) => {
      if (record.tenantId === 'tnt_b' && set.starts !== undefined && set.starts > 0) noted.push([set.starts, isReleased]);
      return store.note(record, set);
    };
    start({
      store: { ...store, note },
      async submit(tenantId) {
        submitted.push(tenantId);
        await held;
        return accepted;
      },
    });
    await until(() => submitted.length === 1);
    const waiting = await upload('tnt_b', rows('B', 1));
    // It was taken twice: to read its file, and to submit its rows.
    await until(async () => (await store.find(waiting))?.attempt === 2);
    isReleased = true;
    mayGoOn();
    await finished(waiting);
    // One start to read, one to submit.
    expect(noted).toEqual([
      [1, false],
      [1, true],
    ]);
  });

  test('stop when they are cancelled', async () => {
    const record = await upload('tnt_a', rows('A', 2000));
    const cancelled: Promise<boolean>[] = [];
    const wake = start({
      async submit(tenantId) {
        submitted.push(tenantId);
        if (submitted.length === 1) cancelled.push(store.finish(record, { state: 'cancelled', error: null, at: 5 }));
        return accepted;
      },
    });
    await until(() => cancelled.length > 0);
    expect(await cancelled[0]).toBe(true);
    const next = await upload('tnt_a', rows('B', 1));
    wake();
    await finished(next);
    const ended = await finished(record);
    expect([ended.state, ended.accepted < 2000]).toEqual(['cancelled', true]);
    expect((await store.pending(record, { rows: 1, characters: 1 })).length).toBe(1);
  });

  test.each([
    ['no known titles', 'a,b\n1,2', '42201'],
    ['an open quote', 'PO,"Warehouse\n1,2', '42205'],
  ])('with %s fail as a whole', async (_name, content, code) => {
    const record = await upload('tnt_a', content);
    start();
    expect(await finished(record)).toMatchObject({ state: 'failed', phase: 'finished', error: { code }, accepted: 0 });
    expect([submitted, files.size]).toEqual([[], 0]);
  });

  test('whose file is missing, or whose reading has a defect, fail', async () => {
    const missing = await upload('tnt_a', 'x');
    files.clear();
    const defect = await upload('tnt_b', 'x');
    start({
      reader: {
        // biome-ignore lint/correctness/useYield: it fails before
        async *read() {
          throw new TypeError('a defect');
        },
      },
    });
    expect((await finished(missing)).error?.message).toContain('not there any more');
    expect((await finished(defect)).error).toEqual({ code: '50000', message: 'The file could not be imported; upload it again' });
  });

  test('of erased tenants do not run', async () => {
    erased.add('tnt_a');
    await upload('tnt_a', rows('A', 1));
    const other = await upload('tnt_b', rows('B', 1));
    start();
    await finished(other);
    expect(submitted).toEqual(['tnt_b B0']);
  });

  test('of a tenant that is erased meanwhile are read no further', async () => {
    const record = await upload('tnt_a', rows('A', 1));
    start({
      reader: {
        async *read(content) {
          erased.add('tnt_a');
          yield* readCsv(content);
        },
      },
    });
    await until(() => erased.size > 0);
    await stops.pop()?.();
    expect((await store.find(record))?.phase).toBe('reading');
    expect(files.size).toBe(1);
  });
});

test('what is over 30 days old, and what uploads left, is removed', async () => {
  const old = await upload('tnt_a', rows('A', 3));
  await store.addRows(old, [{ row: 2, first: 2, poNumber: 'P', cells: ['P'] }], 1);
  await store.finish(old, { state: 'done', error: null, at: clock.now() });
  clock.advance(IMPORTS_KEPT_MS - 1000);
  const kept = await upload('tnt_a', '');
  await store.finish(kept, { state: 'done', error: null, at: clock.now() });
  const left = importJob('tnt_b', 'imp_900', clock.now());
  await store.begin(left, 10);
  files.set(left.fileKey, new Uint8Array(1));
  expect(await store.over(clock.now(), 10)).toEqual([]);
  clock.advance(3_600_001);
  start();
  await until(() => files.size === 1);
  await stops.pop()?.();
  expect([await store.find(old), await store.rows(old, { after: 0, limit: 1 })]).toEqual([undefined, []]);
  expect([...files.keys()]).toEqual([kept.fileKey]);
  expect(await store.unfinished('tnt_b')).toEqual([]);
});
