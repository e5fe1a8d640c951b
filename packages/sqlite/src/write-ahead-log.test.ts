import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { SqliteDatabase } from './database.ts';
import { SqliteOutbox } from './outbox.ts';

describe('the write-ahead log', () => {
  let directory: string;
  let path: string;
  let db: SqliteDatabase;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'sqlite-wal-'));
    path = join(directory, 'a.db');
    db = new SqliteDatabase(path, { synchronous: 'normal' });
    db.migrate(['CREATE TABLE numbers (n INTEGER PRIMARY KEY, filler BLOB)']);
  });

  afterEach(() => {
    db.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const insert = (from: number, count: number, filler: Uint8Array | null = null): Promise<void> =>
    db.transaction(() => {
      for (let n = from; n < from + count; n += 1) db.run('INSERT INTO numbers VALUES (?, ?)', n, filler);
    });

  /** Rows in a copy of the main file alone. */
  const inMainFile = (): number => {
    const copy = join(directory, 'copy.db');
    copyFileSync(path, copy);
    const opened = new SqliteDatabase(copy);
    try {
      return opened.get<{ count: number }>('SELECT count(*) AS count FROM numbers')?.count ?? 0;
    } finally {
      opened.close();
      rmSync(copy);
    }
  };

  test('is moved into the main file when nothing is committed for a moment', async () => {
    db.close();
    db = new SqliteDatabase(path, { synchronous: 'normal' });
    await insert(0, 10);
    expect(inMainFile()).toBe(0);
    await until(() => inMainFile() > 0, { what: 'rows in the main file' });
    expect(inMainFile()).toBe(10);
    await insert(10, 1);
    expect(db.get('SELECT count(*) AS count FROM numbers')).toEqual({ count: 11 });
  });

  test('does not grow beyond its bound while commits never pause', async () => {
    const filler = new Uint8Array(40_000);
    // 200 MB in all, 4 MB a commit.
    for (let commit = 0; commit < 50; commit += 1) await insert(commit * 100, 100, filler);
    expect(statSync(`${path}-wal`).size).toBeLessThan(64 * 1024 * 1024);
  });
});

/** What is SQLite's own: the transaction and the put-off removals. What every outbox does is in the platform's conformance suite. */
describe('SqliteOutbox', () => {
  let directory: string;
  let db: SqliteDatabase;
  let outbox: SqliteOutbox;

  const open = (): void => {
    db = new SqliteDatabase(join(directory, 'service.db'));
    db.migrate([SqliteOutbox.schema, 'CREATE TABLE state (name TEXT PRIMARY KEY) STRICT']);
    outbox = new SqliteOutbox(db);
  };
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'outbox-'));
    open();
  });
  afterEach(() => {
    db.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const write = (...values: string[]): Promise<void> =>
    db.transaction(() => {
      for (const value of values) outbox.append({ topic: 't', key: 'k', value });
    });
  const values = async (limit = 100): Promise<string[]> => (await outbox.lease(limit)).map((entry) => entry.value);
  const removeFirst = async (count: number): Promise<void> => outbox.remove((await outbox.lease(count)).map((entry) => entry.id));

  test('a message and its state change commit together or not at all', async () => {
    await db.transaction(() => {
      db.run('INSERT INTO state VALUES (?)', 'a');
      outbox.append({ topic: 't', key: 'k', value: '1' });
    });
    const failing = db.transaction(() => {
      outbox.append({ topic: 't', key: 'k', value: 'lost' });
      db.run('INSERT INTO state VALUES (?)', 'a');
    });
    await expect(failing).rejects.toThrow();
    expect(await values()).toEqual(['1']);
  });

  test('removals are written down by themselves', async () => {
    await write('1');
    await removeFirst(1);
    await until(() => db.get<{ n: number }>('SELECT count(*) AS n FROM outbox')?.n === 0, { what: 'an empty outbox' });
  });
});
