import { expect, test } from '@jest/globals';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { describeDocumentRecords } from './document-records.conformance.ts';
import { describeFileStore, shownNumbers } from './file-store.conformance.ts';
import { SqliteDocuments } from './sqlite-documents.ts';
import { SqliteFileStore } from './sqlite-file-store.ts';

const plans = new QueryPlans(
  ['./sqlite-file-store.ts', './sqlite-pending-uploads.ts', './sqlite-documents.ts'].map((file) => new URL(file, import.meta.url)),
  { 'FROM pending_uploads WHERE abandoned = 1 OR': 'a sweep over the uploads in flight and those that a crash left, which it removes' },
  ['idempotency_keys', 'usage_days', 'file_uses', 'photo_uses', 'deleted_forecasts', 'work_places'],
);

describeFileStore('SQLite', async () => {
  const db = plans.open();
  return {
    store: new SqliteFileStore(db, shownNumbers),
    async close() {
      db.close();
    },
  };
});

describeDocumentRecords('SQLite', async () => {
  const db = plans.open();
  const uploads = new SqliteFileStore(db, shownNumbers);
  return {
    documents: new SqliteDocuments(db),
    uploads,
    async close() {
      db.close();
    },
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
