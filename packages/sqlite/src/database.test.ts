import { closeSync, copyFileSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { DatabaseSync } from '@photostructure/sqlite';
import { SqliteDatabase } from './database.ts';
import { SqliteFile } from './sqlite-file.ts';

describe('SqliteDatabase', () => {
  const directory = useDirectory();
  let path: string;
  let file: SqliteFile;
  let db: SqliteDatabase;

  beforeEach(() => {
    path = join(directory.path, 'deeper', 'a.db');
    file = new SqliteFile(path);
    db = new SqliteDatabase(file);
    db.migrate(['CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, data BLOB) STRICT']);
  });
  afterEach(() => {
    db.close();
  });

  const insert = (name: string): Promise<number> => db.transaction(() => db.run('INSERT INTO t (name) VALUES (?)', name).lastInsertRowid);
  const names = (from: SqliteDatabase = db): string[] =>
    from.all<{ name: string }>('SELECT name FROM t ORDER BY id').map((row) => row.name);
  /** What another connection sees: the committed state. */
  const committed = (): string[] => {
    const other = new SqliteDatabase(path);
    try {
      return names(other);
    } finally {
      other.close();
    }
  };

  test('a transaction gives the value of its work, once it is committed', async () => {
    expect(await insert('a')).toBe(1);
    expect(committed()).toEqual(['a']);
    expect(await db.transaction(() => db.run('UPDATE t SET name = ?', 'b'))).toMatchObject({ changes: 1 });
  });

  test('of repeatable transactions one that fails is undone alone, and the others are done as if it had not been there', async () => {
    const commits = jest.spyOn(file.commits, 'commit');
    const runs: string[] = [];
    const insertRepeatably = (name: string) =>
      db.transaction(
        () => {
          runs.push(name);
          if (name === 'bad') throw new Error('refused');
          return db.run('INSERT INTO t (name) VALUES (?)', name).lastInsertRowid;
        },
        { repeatable: true },
      );
    const undone = db.rollbacks;
    await Promise.all([insertRepeatably('a'), insertRepeatably('b')]);
    expect([runs, db.rollbacks]).toEqual([['a', 'b'], undone]);
    const [first, bad, last] = await Promise.allSettled(['c', 'bad', 'd'].map(insertRepeatably));
    expect([first, last]).toEqual([3, 4].map((value) => ({ status: 'fulfilled', value })));
    expect(bad).toMatchObject({ status: 'rejected', reason: { message: 'refused' } });
    expect(committed()).toEqual(['a', 'b', 'c', 'd']);
    expect(commits).toHaveBeenCalledTimes(2);
    expect(db.rollbacks).toBeGreaterThan(undone);
    // With one that may run only once nothing is run twice.
    runs.splice(0);
    await Promise.allSettled([insertRepeatably('e'), insert('f'), insertRepeatably('bad')]);
    expect([runs, committed().slice(-2)]).toEqual([
      ['e', 'bad'],
      ['e', 'f'],
    ]);
  });

  test('transactions of one turn are committed together, in order', async () => {
    const seen: string[][] = [];
    const all = ['a', 'b', 'c'].map((name) => insert(name).then(() => seen.push(committed())));
    expect(committed()).toEqual([]);
    await Promise.all(all);
    expect(seen).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
  });

  test('more transactions than one commit takes are all done', async () => {
    const ids = await Promise.all(Array.from({ length: 1500 }, (_, index) => insert(`n${index}`)));
    expect(ids).toEqual(Array.from({ length: 1500 }, (_, index) => index + 1));
  });

  test('a failing transaction leaves nothing behind and its neighbours untouched', async () => {
    const outcomes = await Promise.allSettled([
      insert('a'),
      db.transaction(() => {
        db.run('INSERT INTO t (name) VALUES (?)', 'half');
        db.run('INSERT INTO t (name) VALUES (?)', 'a');
      }),
      db.transaction(() => {
        db.run('INSERT INTO t (name) VALUES (?)', 'half');
        throw new RangeError('own');
      }),
      insert('b'),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(outcomes[2]).toMatchObject({ reason: expect.any(RangeError) });
    expect(committed()).toEqual(['a', 'b']);
  });

  test('work that is asynchronous is refused and rolled back', async () => {
    const work = async (): Promise<void> => {
      db.run('INSERT INTO t (name) VALUES (?)', 'a');
    };
    await expect(db.transaction(work)).rejects.toThrow('synchronous');
    expect(names()).toEqual([]);
  });

  test('a full disk is 50301 for the transactions of the commit, and the next works', async () => {
    const pages = db.get<{ page_count: number }>('PRAGMA page_count')?.page_count ?? 0;
    db.get(`PRAGMA max_page_count=${pages}`);
    const blob = new Uint8Array(200_000);
    const big = db.transaction(() => db.run('INSERT INTO t (data) VALUES (?)', blob));
    const outcomes = await Promise.allSettled([insert('a'), big]);
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { code: '50301' } },
      { status: 'rejected', reason: { code: '50301' } },
    ]);
    await insert('b');
    expect(names()).toEqual(['b']);
  });

  test('a file held by another process or made read-only is 50301, and works again afterwards', async () => {
    db.get('PRAGMA busy_timeout=0');
    const holder = new DatabaseSync(path);
    holder.exec('BEGIN IMMEDIATE');
    await expect(insert('c')).rejects.toMatchObject({ code: '50301' });
    holder.close();
    db.get('PRAGMA query_only=1');
    await expect(insert('d')).rejects.toMatchObject({ code: '50301' });
    db.get('PRAGMA query_only=0');
    expect(await insert('e')).toBeGreaterThan(0);
  });

  test('run outside a transaction is refused', async () => {
    expect(() => db.run('INSERT INTO t (name) VALUES (?)', 'a')).toThrow('only allowed inside transaction');
    await insert('b');
    expect(() => db.run('INSERT INTO t (name) VALUES (?)', 'a')).toThrow('only allowed inside transaction');
  });

  test('close commits what is pending, and refuses what comes later', async () => {
    const pending = Promise.all([insert('a'), insert('b')]);
    db.close();
    await expect(pending).resolves.toEqual([1, 2]);
    await expect(insert('c')).rejects.toMatchObject({ code: '50301' });
    expect(committed()).toEqual(['a', 'b']);
    expect(() => db.close()).not.toThrow();
  });

  test('a file of a newer version is refused', () => {
    const other = new SqliteDatabase(join(directory.path, 'newer.db'));
    other.migrate(['CREATE TABLE v (id INTEGER PRIMARY KEY)', 'CREATE TABLE w (id INTEGER PRIMARY KEY)']);
    expect(() => other.migrate(['CREATE TABLE v (id INTEGER PRIMARY KEY)'])).toThrow(/newer version/);
    other.close();
  });

  test('what SQLite says of a damaged file begins with its name', () => {
    const file = join(directory.path, 'damaged.db');
    new SqliteDatabase(file).close();
    // The header is whole, and what is behind it is not.
    const damaged = openSync(file, 'r+');
    writeSync(damaged, Buffer.alloc(3000, 'noise'), 0, 3000, 100);
    closeSync(damaged);
    expect(() => new SqliteDatabase(file).migrate(['CREATE TABLE v (id INTEGER PRIMARY KEY)'])).toThrow(`${file} is damaged (`);
  });

  test('after close the file alone holds everything', async () => {
    await insert('kept');
    db.close();
    const copy = join(directory.path, 'copy.db');
    copyFileSync(path, copy);
    const opened = new SqliteDatabase(copy);
    expect(opened.all<{ name: string }>('SELECT name FROM t').map((row) => row.name)).toContain('kept');
    opened.close();
  });

  test('migrate applies what is new, once, and keeps a failing script out', async () => {
    const first = 'CREATE TABLE u (id INTEGER PRIMARY KEY)';
    const second = join(directory.path, 'b.db');
    let other = new SqliteDatabase(second);
    other.migrate([first]);
    other.migrate([first]);
    expect(() => other.migrate([first, 'CREATE TABLE v (id INTEGER PRIMARY KEY); CREATE TABLE u (id INTEGER)'])).toThrow();
    expect(other.get("SELECT name FROM sqlite_master WHERE name = 'v'")).toBeUndefined();
    other.close();
    other = new SqliteDatabase(second);
    other.migrate([first, 'CREATE TABLE v (id INTEGER PRIMARY KEY)']);
    expect(other.get("SELECT name FROM sqlite_master WHERE name = 'v'")).toEqual({ name: 'v' });
    other.close();
  });
});

describe('tables of several services in one file', () => {
  let file: SqliteFile;
  const of = (service: string): SqliteDatabase => new SqliteDatabase(file, service);
  beforeEach(() => {
    file = new SqliteFile(':memory:');
  });
  afterEach(() => file.close());

  const first = (prefix: string): string => `CREATE TABLE "${prefix}events" (id INTEGER PRIMARY KEY) STRICT`;
  const second = (prefix: string): string => `CREATE TABLE "${prefix}more" (id INTEGER)`;

  test('have schemas of their own versions', () => {
    of('a').migrate([first, second]);
    of('b').migrate([first]);
    expect(() => of('a').migrate([first])).toThrow(/newer version/);
    of('b').migrate([first, second]);
    expect(of('a').all('SELECT service, version FROM schema_versions ORDER BY service')).toEqual(
      ['a', 'b'].map((service) => ({ service, version: 2 })),
    );
  });
});

describe('what is called back after a commit', () => {
  let db: SqliteDatabase;
  const called: string[] = [];
  beforeEach(() => {
    called.length = 0;
    db = new SqliteDatabase(':memory:');
    db.migrate(['CREATE TABLE t (name TEXT UNIQUE) STRICT']);
  });
  afterEach(() => db.close());
  const insert = (name: string, repeatable: boolean) =>
    db.transaction(
      () => {
        db.afterCommit(() => void called.push(name));
        db.run('INSERT INTO t VALUES (?)', name);
      },
      { repeatable },
    );

  test.each([true, false])('is of what was committed alone, once, in order (repeatable: %s)', async (repeatable) => {
    await Promise.allSettled(['a', 'b', 'a', 'c'].map((name) => insert(name, repeatable)));
    expect(called).toEqual(['a', 'b', 'c']);
    await insert('d', repeatable);
    expect(called).toEqual(['a', 'b', 'c', 'd']);
  });

  test('belongs to a transaction', () => {
    expect(() => db.afterCommit(() => undefined)).toThrow('only allowed inside a transaction');
  });
});

describe('when transactions are committed', () => {
  const insert = (db: SqliteDatabase, deferMs = 0) => db.transaction(() => void db.run('INSERT INTO t DEFAULT VALUES'), { deferMs });

  /** Commits that the work takes. */
  async function committing(work: (db: SqliteDatabase) => Promise<unknown>): Promise<number> {
    const file = new SqliteFile(':memory:');
    const db = new SqliteDatabase(file);
    db.migrate(['CREATE TABLE t (id INTEGER PRIMARY KEY)']);
    const commits = jest.spyOn(file.commits, 'commit');
    await work(db);
    db.close();
    return commits.mock.calls.length;
  }

  test('what arrives while a commit runs shares the next one', async () => {
    const commits = await committing(async (db) => {
      const later: Promise<void>[] = [];
      await db.transaction(() => void later.push(insert(db), insert(db), insert(db)));
      await Promise.all(later);
    });
    expect(commits).toBe(2);
  });

  test('deferred transactions wait for half of their time, then join the next commit or get their own', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    try {
      const commits = await committing(async (db) => {
        const deferred = [insert(db, 60_000), insert(db, 60_000)];
        clock.mockReturnValue(29_999);
        await insert(db);
        expect(db.get('SELECT count(*) AS count FROM t')).toEqual({ count: 1 });
        clock.mockReturnValue(30_000);
        await insert(db);
        await Promise.all(deferred);
      });
      expect(commits).toBe(2);
    } finally {
      clock.mockRestore();
    }
    expect(await committing((db) => insert(db, 5))).toBe(1);
    expect(await committing((db) => Promise.all([insert(db, 60_000), insert(db, 5)]))).toBe(1);
  });
});
