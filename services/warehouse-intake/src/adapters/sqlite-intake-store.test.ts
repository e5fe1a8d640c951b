import { expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { fullScansOf } from '@parcelway/sqlite/full-scans';
import { collectPublications } from '../testing/collect-publications.ts';
import { describeIntakeStore } from './intake-store.conformance.ts';
import { SqliteIntakeStore } from './sqlite-intake-store.ts';

const scans = new Set<string>();

describeIntakeStore('sqlite', async (clock) => {
  const db = new SqliteDatabase(':memory:');
  const store = new SqliteIntakeStore(db, clock);
  return {
    store,
    published: collectPublications(store.outbox),
    async close() {
      // The list of unclaimed parcels ends at its limit, in the order of its index.
      for (const scan of fullScansOf(db, ['ORDER BY id LIMIT'])) scans.add(scan);
      db.close();
    },
  };
});

test('none of the statements above goes through a whole table', () => {
  expect([...scans]).toEqual([]);
});
