import { copyFileSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { DatabaseSync } from '@photostructure/sqlite';
import { SqliteDatabase } from './database.ts';
import { SqliteFile } from './sqlite-file.ts';

describe('the write-ahead log', () => {
  const directory = useDirectory();
  let path: string;
  let file: SqliteFile;
  let db: SqliteDatabase;
  const PACE = { lookMs: 10, minPages: 10, maxPages: 500 };

  beforeEach(() => {
    path = join(directory.path, 'a.db');
    file = new SqliteFile(path, PACE);
    db = new SqliteDatabase(file);
    db.migrate(['CREATE TABLE numbers (n INTEGER PRIMARY KEY, filler BLOB)']);
  });
  afterEach(async () => {
    await file.checkpoints.stop();
    file.close();
  });

  const insert = (from: number, count: number, bytes = 4000): Promise<void> =>
    db.transaction(() => {
      for (let n = from; n < from + count; n += 1) db.run('INSERT INTO numbers VALUES (?, zeroblob(?))', n, bytes);
    });
  const log = () => file.db.prepare('PRAGMA wal_checkpoint(NOOP)').get() as unknown as { log: number; checkpointed: number };

  /** Rows in a copy of the main file alone. */
  const inMainFile = (): number => {
    const copy = join(directory.path, 'copy.db');
    copyFileSync(path, copy);
    const opened = new SqliteDatabase(copy);
    try {
      return opened.get<{ count: number }>('SELECT count(*) AS count FROM numbers')?.count ?? 0;
    } catch {
      // Not even the table.
      return 0;
    } finally {
      opened.close();
      for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true });
    }
  };

  test('is moved into the main file once it is worth it', async () => {
    await insert(0, 1, 10);
    await new Promise((resolve) => setTimeout(resolve, 5 * PACE.lookMs));
    expect([inMainFile(), log().checkpointed]).toEqual([0, 0]);
    await insert(1, 20);
    await until(() => inMainFile() === 21, { what: 'rows in the main file' });
    // The next commit begins it anew.
    await until(() => log().checkpointed === log().log, { what: 'the end of the checkpoint' });
    const before = log().log;
    await insert(21, 1, 10);
    expect(log().log).toBeLessThan(before);
    expect(db.get('SELECT count(*) AS count FROM numbers')).toEqual({ count: 22 });
  });

  test('does not grow beyond its bound while commits never pause', async () => {
    // 200 MB in all, 40 kB a commit.
    for (let commit = 0; commit < 5_000; commit += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, place) => insert((commit + place) * 10, 10)));
    }
    expect(statSync(`${path}-wal`).size).toBeLessThan(64 * 1024 * 1024);
    expect(db.get('SELECT count(*) AS count FROM numbers')).toEqual({ count: 50_000 });
  }, 60_000);

  test('that another process reads is moved later, and holds up no commit', async () => {
    await insert(0, 1);
    const reader = new DatabaseSync(path, { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM numbers').get();
    for (let n = 1; n < 200; n += 1) await insert(n * 10, 10);
    expect(inMainFile()).toBeLessThan(10);
    await expect(db.emptyLog()).rejects.toMatchObject({ code: '50301' });
    reader.exec('COMMIT');
    reader.close();
    await insert(10_000, 20);
    await until(() => inMainFile() === 2011, { what: 'rows in the main file' });
  });

  test.each([1, 2, 257])('is in no file any more once it is emptied, like a row of %i pages that was deleted', async (pages) => {
    const lost = 'a name that nobody may find';
    // Every place of a page has some of it.
    const row = Array.from({ length: pages * 4092 + 489 }, (_, at) => lost[at % lost.length]).join('');
    const isInFiles = (): boolean => [path, `${path}-wal`].some((file) => readFileSync(file).includes(lost));
    await db.transaction(() => db.run('CREATE TABLE names (name TEXT) STRICT'));
    await db.transaction(() => db.run('INSERT INTO names VALUES (?)', row));
    await db.transaction(() => db.run('DELETE FROM names'));
    const before = isInFiles();
    await db.emptyLog();
    expect([before, isInFiles()]).toEqual([true, false]);
  });

  test('is emptied when that is asked for, and commits go on meanwhile and afterwards', async () => {
    await insert(0, 20);
    const [, during] = await Promise.all([db.emptyLog(), insert(20, 1), db.emptyLog()]);
    expect(during).toBeUndefined();
    await db.emptyLog();
    expect([statSync(`${path}-wal`).size, inMainFile()]).toEqual([0, 21]);
    await insert(30, 1);
    expect(db.get('SELECT count(*) AS count FROM numbers')).toEqual({ count: 22 });
  });
});
