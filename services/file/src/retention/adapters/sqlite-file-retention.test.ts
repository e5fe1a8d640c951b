import { expect, test } from '@jest/globals';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { shownNumbers } from '../../adapters/file-store.conformance.ts';
import { SqliteDocuments } from '../../adapters/sqlite-documents.ts';
import { SqliteFileStore } from '../../adapters/sqlite-file-store.ts';
import { describeFileRetention } from '../file-retention.conformance.ts';
import { SqliteFileRetention } from './sqlite-file-retention.ts';

const plans = new QueryPlans(
  ['sqlite-file-retention.ts', 'sqlite-deleted-forecasts.ts'].map((file) => new URL(file, import.meta.url)),
  {
    'FROM pending_uploads WHERE abandoned = 1 OR': 'a sweep over the uploads in flight and those that a crash left, which it removes',
  },
  ['idempotency_keys', 'usage_days', 'work_places'],
);

describeFileRetention('SQLite', async () => {
  const db = plans.open();
  const store = new SqliteFileStore(db, shownNumbers);
  return {
    store,
    documents: new SqliteDocuments(db),
    retention: new SqliteFileRetention(db),
    close: async () => db.close(),
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
