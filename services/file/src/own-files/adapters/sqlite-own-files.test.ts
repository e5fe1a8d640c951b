import { expect, test } from '@jest/globals';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { shownNumbers } from '../../adapters/file-store.conformance.ts';
import { SqliteFileStore } from '../../adapters/sqlite-file-store.ts';
import { SqliteFileRetention } from '../../retention/adapters/sqlite-file-retention.ts';
import { describeOwnFiles } from '../own-files.conformance.ts';
import { SqliteOwnFiles } from './sqlite-own-files.ts';

const plans = new QueryPlans(
  [
    './sqlite-own-files.ts',
    '../../retention/adapters/sqlite-file-uses.ts',
    '../../retention/adapters/sqlite-image-uses.ts',
    '../../adapters/sqlite-file-rows.ts',
  ].map((path) => new URL(path, import.meta.url)),
  {
    'SELECT count(*) AS count FROM (': 'counts MAX_COUNTED_USES at most',
    'FROM pending_uploads WHERE abandoned = 1 OR': 'a sweep over the uploads in flight and those that a crash left, which it removes',
  },
  ['idempotency_keys', 'usage_days', 'work_places', 'documents'],
);

describeOwnFiles('SQLite', async () => {
  const db = plans.open();
  const store = new SqliteFileStore(db, shownNumbers);
  return {
    store,
    ownFiles: new SqliteOwnFiles(db, shownNumbers),
    retention: new SqliteFileRetention(db),
    close: async () => db.close(),
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
