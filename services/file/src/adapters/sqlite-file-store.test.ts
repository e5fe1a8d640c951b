import { expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { fullScansOf } from '@parcelway/sqlite/full-scans';
import { describeFileStore } from './file-store.conformance.ts';
import { SqliteFileStore } from './sqlite-file-store.ts';

const scans = new Set<string>();

describeFileStore('SQLite', async () => {
  const db = new SqliteDatabase(':memory:');
  return {
    store: new SqliteFileStore(db),
    async close() {
      // Uploads under way: a handful.
      for (const scan of fullScansOf(db, ['FROM pending_uploads'])) scans.add(scan);
      db.close();
    },
  };
});

test('none of the statements above goes through a whole table', () => {
  expect([...scans]).toEqual([]);
});
