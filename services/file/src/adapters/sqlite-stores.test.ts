import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openFilesystemBlobs } from '@parcelway/blobs/filesystem-driver';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore } from '@parcelway/store/shared/usage-days';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { describeDocumentRecords } from '../documents/adapters/document-records.conformance.ts';
import { SqliteDocuments } from '../documents/adapters/sqlite-documents.ts';
import { createSqliteTenantData } from '../erasure/adapters/sqlite-tenant-data.ts';
import { describeFileTenantData } from '../erasure/adapters/tenant-data.conformance.ts';
import { SqliteFileRetention } from '../retention/adapters/sqlite-file-retention.ts';
import { describeFileRetention } from '../retention/file-retention.conformance.ts';
import { SqliteStorage } from '../storage/adapters/sqlite-storage.ts';
import { describeStoredContents } from '../storage/stored-contents.conformance.ts';
import { SqliteOwnFiles } from '../uploads/adapters/sqlite-own-files.ts';
import { describeOwnFiles } from '../uploads/own-files.conformance.ts';
import { describeFileStore, shownNumbers } from './file-store.conformance.ts';
import { SqliteFileStore } from './sqlite-file-store.ts';

const plans = new QueryPlans(
  [
    'sqlite-file-store.ts',
    '../documents/adapters/sqlite-documents.ts',
    '../erasure/adapters/sqlite-tenant-data.ts',
    '../uploads/adapters/sqlite-own-files.ts',
    '../retention/adapters/sqlite-file-retention.ts',
    '../retention/adapters/sqlite-file-uses.ts',
    '../storage/adapters/sqlite-storage.ts',
  ].map((file) => new URL(file, import.meta.url)),
  {
    'FROM pending_uploads WHERE abandoned = 1 OR': 'a sweep over the uploads in flight and those that a crash left, which it removes',
    'SELECT count(*) AS count FROM (': 'counts MAX_COUNTED_USES at most',
  },
  ['work_leases'],
);

function openStores() {
  const db = plans.open();
  const store = new SqliteFileStore(db, shownNumbers);
  return {
    db,
    store,
    uploads: store,
    documents: new SqliteDocuments(db),
    ownFiles: new SqliteOwnFiles(db, shownNumbers),
    retention: new SqliteFileRetention(db),
    stored: new SqliteStorage(db),
    keys: createIdempotencyStore(createSqliteStore({ db })),
    usage: createUsageStore(createSqliteStore({ db })),
    dump: async () => dumpOf(db),
    close: async () => db.close(),
  };
}

describeFileStore('SQLite', async () => openStores());
describeDocumentRecords('SQLite', async () => openStores());
describeOwnFiles('SQLite', async () => openStores());
describeFileRetention('SQLite', async () => openStores());
describeStoredContents('SQLite', async () => openStores());
describeFileTenantData('SQLite', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'file-tenant-data-'));
  const { db, ...stores } = openStores();
  const blobs = await openFilesystemBlobs(directory);
  return {
    ...stores,
    blobs,
    data: createSqliteTenantData(db, blobs),
    async close() {
      db.close();
      await blobs.close();
      rmSync(directory, { recursive: true });
    },
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});

test('a page is read from its index alone', async () => {
  const { db, close } = openStores();
  const plan = (sql: string) => db.all<{ readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).map(({ detail }) => detail);
  const files =
    "SELECT id, size FROM files INDEXED BY files_stored WHERE tenant_id = 't' AND id > 5 AND hidden_at IS NULL ORDER BY id LIMIT 9";
  expect(plan(files)).toEqual(['SEARCH files USING COVERING INDEX files_stored (tenant_id=? AND id>?)']);
  const photos = "SELECT id, size FROM photos INDEXED BY photos_stored WHERE tenant_id = 't' AND id > 5 ORDER BY id LIMIT 9";
  expect(plan(photos)).toEqual(['SEARCH photos USING COVERING INDEX photos_stored (tenant_id=? AND id>?)']);
  await close();
});
