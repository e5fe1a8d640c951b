import { copyFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { DatabaseSync } from '@photostructure/sqlite';
import { CommitLoad } from './commit-schedule.ts';
import { SqliteDatabase, type TransactionOptions } from './database.ts';
import { LateFlush } from './late-flush.ts';
import { release, watchFlushes } from './testing/watched-flushes.ts';

const flushes = watchFlushes();

describe('transactions that may be flushed later', () => {
  let db: SqliteDatabase;
  const opened = (load = new CommitLoad()): void => {
    db = new SqliteDatabase(flushes.path, { load });
    db.migrate(['CREATE TABLE t (n INTEGER PRIMARY KEY) STRICT']);
  };
  afterEach(() => db.close());

  /** Writes a row. @returns whether its commit is flushed by SQLite: 2 is FULL, 1 NORMAL */
  const insert = (n: number, flushLater: boolean, options: TransactionOptions = {}): Promise<number | undefined> =>
    db.transaction(
      () => {
        db.run('INSERT INTO t VALUES (?)', n);
        return db.get<{ synchronous: number }>('PRAGMA synchronous')?.synchronous;
      },
      { flushLater, ...options },
    );

  test('are committed without a flush, which comes when it is asked for', async () => {
    opened();
    expect(await insert(1, true)).toBe(1);
    expect(flushes.count).toBe(0);
    await db.flushed();
    expect(flushes.count).toBe(1);
  });

  test('are flushed with others that share their commit, and do not change how those are flushed that follow', async () => {
    opened();
    expect(await Promise.all([insert(1, true), insert(2, false)])).toEqual([2, 2]);
    expect(await insert(3, true)).toBe(1);
    expect(await insert(4, false)).toBe(2);
    expect(await Promise.all([insert(5, true), insert(6, true)])).toEqual([1, 1]);
  });

  test('take those along for which nobody waits: these resolve once they are flushed', async () => {
    opened();
    flushes.held = [];
    const done: string[] = [];
    void insert(1, false, { deferMs: 10_000 }).then((mode) => done.push(`deferred ${mode}`));
    void insert(2, true).then((mode) => done.push(`late ${mode}`));
    await until(() => flushes.count === 1 && done.length > 0, { what: 'the flush' });
    expect(done).toEqual(['late 1']);
    release(flushes);
    await until(() => done.length > 1, { what: 'the deferred transaction' });
    expect(done).toEqual(['late 1', 'deferred 1']);
  });

  test('for which nobody waits fail with their flush, and are written when they are tried again', async () => {
    opened();
    flushes.failure = new Error('EIO');
    await expect(insert(1, false, { deferMs: 1 })).rejects.toMatchObject({ code: '50301' });
    flushes.failure = undefined;
    expect(await db.transaction(() => db.run('INSERT OR IGNORE INTO t VALUES (1)').changes, { deferMs: 1 })).toBe(0);
    expect(flushes.count).toBe(2);
  });

  test('are flushed with all others unless the process is calm', async () => {
    const load = new CommitLoad();
    opened(load);
    for (let count = 0; count < 250; count += 1) load.arrived(performance.now());
    expect(await insert(1, true)).toBe(2);
    await db.flushed();
    expect(flushes.count).toBe(0);
  });

  test('of which the flush fails are safe once the log has been moved', async () => {
    opened();
    await insert(1, true);
    flushes.failure = new Error('EIO');
    await expect(db.flushed()).rejects.toMatchObject({ code: '50301' });
    await db.flushed();
    expect(flushes.count).toBe(1);
    const mainFile = join(flushes.directory, 'copy.db');
    copyFileSync(flushes.path, mainFile);
    const copy = new SqliteDatabase(mainFile);
    expect(copy.get('SELECT n FROM t')).toEqual({ n: 1 });
    copy.close();
  });

  test('are on the disk when the file is closed', async () => {
    opened();
    await insert(1, true);
    const deferred = insert(2, false, { deferMs: 10_000 });
    db.close();
    await db.flushed();
    expect(await deferred).toBe(2);
    const again = new SqliteDatabase(flushes.path);
    expect(again.all('SELECT n FROM t')).toEqual([{ n: 1 }, { n: 2 }]);
    again.close();
  });
});

describe('what a flush has left open', () => {
  let db: SqliteDatabase;
  beforeEach(() => {
    db = new SqliteDatabase(flushes.path, { load: new CommitLoad() });
    db.migrate(['CREATE TABLE t (n INTEGER PRIMARY KEY) STRICT']);
  });
  afterEach(() => db.close());

  const insert = (n: number, flushLater = false): Promise<unknown> =>
    db.transaction(() => db.run('INSERT INTO t VALUES (?)', n), { flushLater });
  const failToFlush = async (): Promise<void> => {
    await insert(1, true);
    flushes.failure = new Error('EIO');
    await expect(db.flushed()).rejects.toMatchObject({ code: '50301' });
  };

  test('is moved before anything is committed behind it, and the log is restarted', async () => {
    await failToFlush();
    const before = statSync(`${flushes.path}-wal`).size;
    await insert(2);
    expect(statSync(`${flushes.path}-wal`).size).toBe(before);
    const mainFile = join(flushes.directory, 'copy.db');
    copyFileSync(flushes.path, mainFile);
    const copy = new SqliteDatabase(mainFile);
    expect(copy.all('SELECT n FROM t')).toEqual([{ n: 1 }]);
    copy.close();
    await db.flushed();
    expect(flushes.count).toBe(1);
  });

  test('keeps everything from being committed while somebody reads the log', async () => {
    const reader = new DatabaseSync(flushes.path, { readOnly: true });
    await insert(0);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM t').get();
    await failToFlush();
    const begun = performance.now();
    await expect(insert(2)).rejects.toMatchObject({ code: '50301' });
    await expect(insert(3, true)).rejects.toMatchObject({ code: '50301' });
    // It does not wait for the reader: nothing else would run meanwhile.
    expect(performance.now() - begun).toBeLessThan(1000);
    reader.exec('COMMIT');
    reader.close();
    await insert(4);
    expect(db.all('SELECT n FROM t')).toEqual([{ n: 0 }, { n: 1 }, { n: 4 }]);
    expect(db.get('PRAGMA busy_timeout')).toEqual({ timeout: 2000 });
  });

  test('by a commit of which the driver says that the disk failed is moved as well', async () => {
    await insert(1, true);
    const disk = Object.assign(new Error('disk I/O error'), { sqliteExtendedCode: 1034 });
    const fail = (): never => {
      throw disk;
    };
    await expect(db.transaction(fail)).rejects.toMatchObject({ code: '50301' });
    await insert(2);
    await db.flushed();
    expect(flushes.count).toBe(0);
    // Where everything is on the disk, nothing is in doubt.
    const before = statSync(flushes.path).mtimeMs;
    await expect(db.transaction(fail)).rejects.toMatchObject({ code: '50301' });
    await insert(3);
    expect(statSync(flushes.path).mtimeMs).toBe(before);
  });

  test('by a process that was killed is flushed before it counts as being on the disk', async () => {
    await insert(1, true);
    const left = join(flushes.directory, 'left.db');
    for (const end of ['', '-wal']) copyFileSync(flushes.path + end, left + end);
    const next = new SqliteDatabase(left, { load: new CommitLoad() });
    expect(next.get('SELECT n FROM t')).toEqual({ n: 1 });
    await next.flushed();
    await next.flushed();
    expect(flushes.count).toBe(1);
    next.close();
    const afterClose = new SqliteDatabase(left, { load: new CommitLoad() });
    await afterClose.flushed();
    expect(flushes.count).toBe(1);
    afterClose.close();
  });
});

/** The error of callers, with the system's as its cause. */
const failure = (cause: string) => ({ code: '50301', cause: { message: expect.stringContaining(cause) } });

const turns = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('a late flush', () => {
  const checkpoint = jest.fn<() => void>();
  let flush: LateFlush;

  beforeEach(() => {
    checkpoint.mockReset();
    writeFileSync(`${flushes.path}-wal`, 'log');
    flush = new LateFlush({ path: flushes.path, checkpoint });
  });
  afterEach(() => flush.close());

  test('is not made when everything is on the disk', async () => {
    await flush.flushed();
    flush.commits += 1;
    await flush.flushed();
    await flush.flushed();
    expect(flushes.count).toBe(1);
  });

  test('covers what was committed before it began: who comes while one runs shares the next', async () => {
    flushes.held = [];
    const done: string[] = [];
    const wait = (name: string): void => {
      flush.commits += 1;
      void flush.flushed().then(() => done.push(name));
    };
    const counted = (count: number) => until(() => flushes.count === count, { what: `flush ${count}` });
    wait('first');
    await counted(1);
    for (const name of ['second', 'third']) wait(name);
    await turns();
    expect({ count: flushes.count, done }).toEqual({ count: 1, done: [] });
    release(flushes);
    await counted(2);
    expect({ count: flushes.count, done }).toEqual({ count: 2, done: ['first'] });
    release(flushes);
    await until(() => done.length > 1, { what: 'those that share the second flush' });
    expect({ count: flushes.count, done }).toEqual({ count: 2, done: ['first', 'second', 'third'] });
  });

  test('that failed is made up by writing all of it again, until that succeeds', async () => {
    flushes.failure = new Error('EIO');
    flush.commits += 1;
    await expect(flush.flushed()).rejects.toMatchObject(failure('EIO'));
    flushes.failure = undefined;
    checkpoint.mockImplementationOnce(() => {
      throw new Error('still out');
    });
    await expect(flush.flushed()).rejects.toMatchObject(failure('still out'));
    await flush.flushed();
    expect({ count: flushes.count, checkpoints: checkpoint.mock.calls.length }).toEqual({ count: 1, checkpoints: 2 });
    flush.commits += 1;
    await flush.flushed();
    expect(flushes.count).toBe(2);
  });

  test('does not fail for a file that was closed meanwhile', async () => {
    flushes.held = [];
    flush.commits += 1;
    const flushed = flush.flushed();
    await until(() => flushes.count === 1, { what: 'the flush' });
    const closed = flush.close();
    flushes.failure = new Error('EBADF');
    release(flushes);
    await flushed;
    await closed;
  });

  test('fails when the log cannot be opened', async () => {
    rmSync(`${flushes.path}-wal`);
    flush.commits += 1;
    await expect(flush.flushed()).rejects.toMatchObject(failure('ENOENT'));
  });
});
