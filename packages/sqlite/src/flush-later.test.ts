import { copyFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { DatabaseSync } from '@photostructure/sqlite';
import { SqliteDatabase, type TransactionOptions } from './database.ts';
import { LateFlush } from './late-flush.ts';
import { release, watchFlushes } from './testing/watched-flushes.ts';

const flushes = watchFlushes();

describe('transactions', () => {
  let db: SqliteDatabase;
  beforeEach(() => {
    db = new SqliteDatabase(flushes.path);
    db.migrate(['CREATE TABLE t (n INTEGER PRIMARY KEY) STRICT']);
  });
  afterEach(() => db.close());
  const insert = (n: number, options: TransactionOptions = {}) =>
    db.transaction(() => {
      db.afterCommit(() => void called.push(n));
      return db.run('INSERT OR IGNORE INTO t VALUES (?)', n).changes;
    }, options);
  const rows = () => db.all<{ n: number }>('SELECT n FROM t').map(({ n }) => n);
  const called: number[] = [];
  beforeEach(() => void called.splice(0));

  test('resolve once they are on the disk, those that may be flushed later before', async () => {
    flushes.held = [];
    const done: string[] = [];
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    void insert(3, { deferMs: 10_000 }).then(() => done.push('deferred'));
    clock.mockReturnValue(5000);
    void insert(1, { flushLater: true }).then(() => done.push('later'));
    void insert(2).then(() => done.push('now'));
    await until(() => flushes.count === 1 && done.length > 0, { what: 'the flush' });
    // Others see them; a consumer of the log does not yet.
    expect([rows(), done, called]).toEqual([[1, 2, 3], ['later'], []]);
    release(flushes);
    await until(() => done.length === 3, { what: 'the others' });
    expect([done, called]).toEqual([
      ['later', 'now', 'deferred'],
      [1, 2, 3],
    ]);
  });

  test('that arrive while a flush runs share the next', async () => {
    flushes.held = [];
    const first = insert(1);
    await until(() => flushes.count === 1, { what: 'the first flush' });
    const others = [insert(2), insert(3)];
    await until(() => rows().length === 3, { what: 'their commit' });
    others.push(insert(4));
    await until(() => rows().length === 4, { what: 'their commit' });
    release(flushes);
    await first;
    await until(() => flushes.count === 2, { what: 'the second flush' });
    release(flushes);
    await Promise.all(others);
    expect(flushes.count).toBe(2);
  });

  test('that have written nothing are not flushed, and wait for what was committed before', async () => {
    await insert(1);
    await db.transaction(() => db.run('DELETE FROM t WHERE n = 9'));
    expect(flushes.count).toBe(1);
    flushes.held = [];
    const second = insert(2);
    let isDone = false;
    const looked = db
      .transaction(() => rows())
      .then(() => {
        isDone = true;
      });
    await until(() => flushes.count === 2, { what: 'the flush' });
    expect(isDone).toBe(false);
    release(flushes);
    await Promise.all([second, looked]);
    expect(flushes.count).toBe(2);
  });

  test('of which the flush fails are refused, may have been made, and are safe once the log has been moved', async () => {
    flushes.failure = new Error('EIO');
    await expect(insert(1)).rejects.toMatchObject({ code: '50301' });
    expect(called).toEqual([]);
    flushes.failure = undefined;
    expect(await insert(1)).toBe(0);
    expect(called).toEqual([1, 1]);
    expect(flushes.count).toBe(1);
    const mainFile = join(flushes.directory, 'copy.db');
    copyFileSync(flushes.path, mainFile);
    const copy = new SqliteDatabase(mainFile);
    expect(copy.get('SELECT n FROM t')).toEqual({ n: 1 });
    copy.close();
  });

  test('are on the disk when the file is closed', async () => {
    await insert(1, { flushLater: true });
    const deferred = insert(2, { deferMs: 10_000 });
    db.close();
    await db.flushed();
    expect(await deferred).toBe(1);
    const again = new SqliteDatabase(flushes.path);
    expect(again.all('SELECT n FROM t')).toEqual([{ n: 1 }, { n: 2 }]);
    again.close();
  });
});

describe('what a flush has left open', () => {
  let db: SqliteDatabase;
  beforeEach(() => {
    db = new SqliteDatabase(flushes.path);
    db.migrate(['CREATE TABLE t (n INTEGER PRIMARY KEY) STRICT']);
  });
  afterEach(() => db.close());

  const insert = (n: number, flushLater = false): Promise<unknown> =>
    db.transaction(() => db.run('INSERT INTO t VALUES (?)', n), { flushLater });
  const failToFlush = async (): Promise<void> => {
    await insert(1, true);
    flushes.failure = new Error('EIO');
    await expect(db.flushed()).rejects.toMatchObject({ code: '50301' });
    flushes.failure = undefined;
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
    // Each once: the one that failed, and that of the second commit.
    expect(flushes.count).toBe(2);
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
    expect(flushes.count).toBe(1);
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
    const next = new SqliteDatabase(left);
    expect(next.get('SELECT n FROM t')).toEqual({ n: 1 });
    await next.flushed();
    await next.flushed();
    expect(flushes.count).toBe(1);
    next.close();
    const afterClose = new SqliteDatabase(left);
    await afterClose.flushed();
    expect(flushes.count).toBe(1);
    afterClose.close();
  });
});

/** The error of callers, with the system's as its cause. */
const failure = (cause: string) => ({ code: '50301', cause: { message: expect.stringContaining(cause) } });

describe('a late flush', () => {
  const checkpoint = jest.fn<() => void>();
  let flush: LateFlush;

  beforeEach(() => {
    checkpoint.mockReset();
    writeFileSync(`${flushes.path}-wal`, 'log');
    flush = new LateFlush({ path: flushes.path, flushes: true, checkpoint });
  });
  afterEach(() => flush.close());

  test('that failed is made up by writing all of it again, until that succeeds', async () => {
    flushes.failure = new Error('EIO');
    flush.committed();
    await expect(flush.flushed()).rejects.toMatchObject(failure('EIO'));
    flushes.failure = undefined;
    checkpoint.mockImplementationOnce(() => {
      throw new Error('still out');
    });
    await expect(flush.flushed()).rejects.toMatchObject(failure('still out'));
    await flush.flushed();
    expect({ count: flushes.count, checkpoints: checkpoint.mock.calls.length }).toEqual({ count: 1, checkpoints: 2 });
    flush.committed();
    await flush.flushed();
    expect(flushes.count).toBe(2);
  });

  test('does not fail for a file that was closed meanwhile', async () => {
    flushes.held = [];
    flush.committed();
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
    flush.committed();
    await expect(flush.flushed()).rejects.toMatchObject(failure('ENOENT'));
  });
});
