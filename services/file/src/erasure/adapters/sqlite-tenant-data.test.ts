import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openFilesystemBlobs } from '@parcelway/blobs/filesystem-driver';
import { SqliteIdempotencyStore } from '@parcelway/sqlite/idempotency';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { SqliteUsage } from '@parcelway/sqlite/usage';
import { shownNumbers } from '../../adapters/file-store.conformance.ts';
import { SqliteDocuments } from '../../adapters/sqlite-documents.ts';
import { SqliteFileStore } from '../../adapters/sqlite-file-store.ts';
import { SqliteFileRetention } from '../../retention/adapters/sqlite-file-retention.ts';
import { createSqliteTenantData } from './sqlite-tenant-data.ts';
import { describeFileTenantData } from './tenant-data.conformance.ts';

const plans = new QueryPlans([new URL('sqlite-tenant-data.ts', import.meta.url)], {}, ['pending_uploads', 'work_places']);

describeFileTenantData('SQLite', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'file-tenant-data-'));
  const db = plans.open();
  const store = new SqliteFileStore(db, shownNumbers);
  const blobs = await openFilesystemBlobs(directory);
  return {
    store,
    documents: new SqliteDocuments(db),
    retention: new SqliteFileRetention(db),
    keys: new SqliteIdempotencyStore(db),
    usage: new SqliteUsage(db),
    blobs,
    data: createSqliteTenantData(db, blobs),
    dump: async () => dumpOf(db),
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
