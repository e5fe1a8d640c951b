import { DatabaseSync } from '@photostructure/sqlite';

function onFile<T>(path: string, work: (db: InstanceType<typeof DatabaseSync>) => T): T {
  const db = new DatabaseSync(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** The number that {@link markFile} put into a SQLite file; 0 when none did. Changes nothing that was committed. @throws the driver's error when the file is damaged */
export const markOf = (path: string): number =>
  onFile(path, (db) => (db.prepare('PRAGMA application_id').get() as { application_id: number }).application_id);

/** Marks a SQLite file, durably, with a number of 32 bits. Its copies have the mark too. @throws the driver's error when the disk is out */
export const markFile = (path: string, mark: number): void =>
  onFile(path, (db) => db.exec(`PRAGMA busy_timeout=2000; PRAGMA application_id=${mark}`));
