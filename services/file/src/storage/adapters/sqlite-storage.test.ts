import { expect, test } from '@jest/globals';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { SqliteUsage } from '@parcelway/sqlite/usage';
import { shownNumbers } from '../../adapters/file-store.conformance.ts';
import { SqliteFileStore } from '../../adapters/sqlite-file-store.ts';
import { SqliteOwnFiles } from '../../own-files/adapters/sqlite-own-files.ts';
import { SqliteFileRetention } from '../../retention/adapters/sqlite-file-retention.ts';
import { describeStoredContents } from '../stored-contents.conformance.ts';
import { SqliteStorage } from './sqlite-storage.ts';

const plans = new QueryPlans([new URL('./sqlite-storage.ts', import.meta.url)], {}, [
  'idempotency_keys',
  'work_places',
  'documents',
  'document_orders',
  'outbox',
  'file_uses',
  'photo_uses',
]);

describeStoredContents('SQLite', async () => {
  const db = plans.open();
  const store = new SqliteFileStore(db, shownNumbers);
  return {
    store,
    stored: new SqliteStorage(db),
    ownFiles: new SqliteOwnFiles(db, shownNumbers),
    retention: new SqliteFileRetention(db),
    usage: new SqliteUsage(db),
    close: async () => db.close(),
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});

test('a page is read from its index alone', () => {
  const db = plans.open();
  new SqliteFileStore(db, shownNumbers);
  const plan = (sql: string) => db.all<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).map(({ detail }) => detail);
  const files =
    "SELECT id, size FROM files INDEXED BY files_stored WHERE tenant_id = 't' AND id > 5 AND hidden_at IS NULL ORDER BY id LIMIT 9";
  expect(plan(files)).toEqual(['SEARCH files USING COVERING INDEX files_stored (tenant_id=? AND id>?)']);
  const photos = "SELECT id, size FROM photos INDEXED BY photos_stored WHERE tenant_id = 't' AND id > 5 ORDER BY id LIMIT 9";
  expect(plan(photos)).toEqual(['SEARCH photos USING COVERING INDEX photos_stored (tenant_id=? AND id>?)']);
  db.close();
});
