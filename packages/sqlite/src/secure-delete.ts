import { setTimeout as pause } from 'node:timers/promises';
import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { SqliteDatabase } from './database.ts';

/** Pages that one step overwrites, about a megabyte: few milliseconds, so that other work is not held up. */
const PAGES_AT_ONCE = 256;
/** Bytes of a blob that one overflow page takes: all but the number of the next page (SQLite file format, 1.6). */
const NEXT_PAGE_BYTES = 4;

const FILLING = 'CREATE TABLE IF NOT EXISTS free_pages (id INTEGER PRIMARY KEY, filling BLOB NOT NULL) STRICT';

/**
 * Deletes in a transaction, and overwrites all of it: by default SQLite leaves in the file what lies on pages that become free. The setting belongs to
 * the connection, which is shared, so it is on only for what has to be gone.
 */
export function eraseRows<T>(db: SqliteDatabase, work: () => T): Promise<T> {
  return db.transaction(() => {
    db.get('PRAGMA secure_delete = ON');
    try {
      return work();
    } finally {
      db.get('PRAGMA secure_delete = FAST');
    }
  });
}

function pragma(db: SqliteDatabase, name: 'freelist_count' | 'page_size'): number {
  return db.get<Record<string, number>>(`PRAGMA ${name}`)?.[name] ?? 0;
}

/** Fills free pages with zeros. Only inside a transaction. @returns how many */
function fillSome(db: SqliteDatabase, most: number): number {
  db.run(FILLING);
  const pages = Math.min(pragma(db, 'freelist_count'), most, PAGES_AT_ONCE);
  if (pages > 0) db.run('INSERT INTO free_pages (filling) VALUES (zeroblob(?))', pages * (pragma(db, 'page_size') - NEXT_PAGE_BYTES));
  return pages;
}

/** Makes one step of filled pages free again, or removes their table. Only inside a transaction. @returns false when nothing is left */
function freeSome(db: SqliteDatabase): boolean {
  if (db.run('DELETE FROM free_pages WHERE id IN (SELECT id FROM free_pages LIMIT 1)').changes > 0) return true;
  db.run('DROP TABLE free_pages');
  return false;
}

/**
 * Overwrites the pages of a file that are free now. SQLite leaves on them what was there: `secure_delete = FAST` overwrites only what is deleted from
 * pages that stay in use. The free pages are given to a table of zeros, and become free again with it. Each step is a short transaction, and leaves other
 * work as much time as it took. After a crash the next call goes on.
 * @throws AppError 50301 when the disk is out
 */
export async function overwriteFreePages(db: SqliteDatabase): Promise<void> {
  const step = async <T>(work: () => T): Promise<T> => {
    const begun = performance.now();
    // The last page of a blob is not full: it is overwritten when it becomes free.
    const result = await eraseRows(db, work);
    await pause(performance.now() - begun);
    return result;
  };
  // What becomes free meanwhile belongs to others, and would keep this from ending.
  for (let left = pragma(db, 'freelist_count'), filled = 1; left > 0 && filled > 0; left -= filled) {
    filled = await step(() => fillSome(db, left));
  }
  await db.transaction(() => db.run(FILLING));
  while (await step(() => freeSome(db)));
  await db.emptyLog();
}

/**
 * What the deletions of a tenant's data have left in the file, today and before: the last kind of the service that erases last, which erases the same for every tenant. One
 * run at a time serves all who ask meanwhile. A large file takes longer than a call may: the next call waits for the rest.
 */
export function freePagesKind(db: SqliteDatabase): TenantDataKind {
  let running: Promise<void> | undefined;
  return {
    name: 'free_pages',
    async erase() {
      running ??= overwriteFreePages(db).finally(() => {
        running = undefined;
      });
      await running;
      return 0;
    },
  };
}
