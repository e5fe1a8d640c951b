import { backup, DatabaseSync } from '@photostructure/sqlite';

/** Between two steps the process goes on. */
const PAGES_AT_ONCE = 500;

/**
 * Copies a SQLite file as it is at one moment, while a process goes on writing to it: what was committed before that moment is in the copy, and nothing
 * of what came after. The copy is a file of its own, without a write-ahead log.
 * @param onView called once the moment is fixed
 * @throws the driver's error when the file is none
 */
export async function copyFile(from: string, to: string, onView: () => void = () => undefined): Promise<void> {
  const view = new DatabaseSync(from, { readOnly: true });
  try {
    // A transaction sees the file as it is at its first read, whatever is written afterwards.
    view.exec('BEGIN');
    view.prepare('SELECT count(*) FROM sqlite_master').get();
    onView();
    await backup(view, to, { rate: PAGES_AT_ONCE });
  } finally {
    view.close();
  }
  const copy = new DatabaseSync(to);
  // Complete in itself: nobody has to keep a -wal file beside it.
  copy.exec('PRAGMA journal_mode=DELETE');
  copy.close();
}
