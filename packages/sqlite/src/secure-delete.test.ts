import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { SqliteDatabase } from './database.ts';
import { freePagesKind, overwriteFreePages } from './secure-delete.ts';

const LOST = 'a name that nobody may find';
const KEPT = 'a name that stays';

const directory = useDirectory();
let db: SqliteDatabase;
beforeEach(() => {
  db = new SqliteDatabase(join(directory.path, 'store.db'));
  db.migrate(['CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT']);
});
afterEach(() => {
  db.close();
});

/** Rows of some pages each, which are deleted again. */
async function leaveFreePages(rows: number, pagesEach = 3): Promise<void> {
  await db.transaction(() => {
    db.run('INSERT INTO notes (text) VALUES (?)', KEPT);
    for (let row = 0; row < rows; row += 1)
      db.run('INSERT INTO notes (text) VALUES (?)', `${LOST} ${'.'.repeat(pagesEach * 4096)} ${LOST}`);
  });
  await db.transaction(() => db.run('DELETE FROM notes WHERE text <> ?', KEPT));
}
const isInFiles = (text: string): boolean =>
  readdirSync(directory.path).some((name) => readFileSync(join(directory.path, name)).includes(text));
const freePages = () => db.get<{ freelist_count: number }>('PRAGMA freelist_count')?.freelist_count ?? 0;
const tables = () =>
  db.all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'schema_versions'").map(({ name }) => name);

test('what was deleted is in no file afterwards, and what is stored stays', async () => {
  await leaveFreePages(200);
  const free = freePages();
  expect(free).toBeGreaterThan(500);
  expect(isInFiles(LOST)).toBe(true);
  await overwriteFreePages(db);
  expect([isInFiles(LOST), isInFiles(KEPT), tables()]).toEqual([false, true, ['notes']]);
  expect(db.all('SELECT text FROM notes')).toEqual([{ text: KEPT }]);
  // They are used again: the file does not grow with every run.
  const size = () => readFileSync(join(directory.path, 'store.db')).length;
  const before = size();
  await overwriteFreePages(db);
  expect([size(), freePages()]).toEqual([before, expect.any(Number)]);
  expect(freePages()).toBeGreaterThanOrEqual(free - 2);
});

test.each([1, 2, 3, 257])('nothing of %i free pages is left, not even at the end of one', async (pages) => {
  // Every place of a page has some of it.
  const all = Array.from({ length: pages * 4092 + 489 }, (_, at) => LOST[at % LOST.length]).join('');
  await db.transaction(() => db.run('INSERT INTO notes (text) VALUES (?)', all));
  await db.transaction(() => db.run('DELETE FROM notes'));
  expect([freePages() >= pages, isInFiles(LOST)]).toEqual([true, true]);
  await overwriteFreePages(db);
  expect(isInFiles(LOST)).toBe(false);
});

test('a file without free pages stays as it is', async () => {
  await overwriteFreePages(db);
  expect(tables()).toEqual(['notes']);
});

test('what a crash has left half-way is finished by the next run', async () => {
  await leaveFreePages(200);
  let steps = 0;
  const crash = new Error('crash');
  const dying = new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value;
      return (work: () => unknown) => {
        steps += 1;
        return steps > 2 ? Promise.reject(crash) : target.transaction(work);
      };
    },
  });
  await expect(overwriteFreePages(dying)).rejects.toBe(crash);
  expect(tables()).toEqual(['notes', 'free_pages']);
  await overwriteFreePages(db);
  expect([isInFiles(LOST), tables()]).toEqual([false, ['notes']]);
});

test('it ends although others go on deleting, and who asks meanwhile waits for the same run', async () => {
  await leaveFreePages(300);
  const kind = freePagesKind(db);
  let isOver = false;
  const others = (async () => {
    while (!isOver) await leaveFreePages(5, 1);
  })();
  const all = await Promise.all([kind.erase?.('tnt_one'), kind.erase?.('tnt_two')]);
  isOver = true;
  await others;
  expect([all, tables()]).toEqual([[0, 0], ['notes']]);
});
