import { expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { describeDocumentOrders } from './document-orders.conformance.ts';
import { describeDocumentStore } from './document-store.conformance.ts';
import { describeFileStore, shownNumbers } from './file-store.conformance.ts';
import { SqliteDocumentOrders } from './sqlite-document-orders.ts';
import { SqliteDocumentStore } from './sqlite-document-store.ts';
import { SqliteFileStore } from './sqlite-file-store.ts';
import { fileMigrations } from './sqlite-schema.ts';

const plans = new QueryPlans(
  ['./sqlite-file-store.ts', './sqlite-pending-uploads.ts', './sqlite-document-store.ts', './sqlite-document-orders.ts'].map(
    (file) => new URL(file, import.meta.url),
  ),
  {
    'FROM pending_uploads WHERE abandoned = 1 OR': 'a sweep over the uploads in flight and those that a crash left, which it removes',
    'SELECT tenant_id FROM document_orders WHERE tenant_id > ?':
      'passes over the orders of a tenant that are being carried out or have failed',
    'SELECT count(*) AS count FROM document_orders': 'counts what waits, at the pace of metrics; next to nothing does',
  },
  ['idempotency_keys', 'usage_days', 'file_uses', 'file_uses_since', 'photo_uses', 'deleted_forecasts', 'work_places'],
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

describeDocumentStore('SQLite', async () => {
  const db = plans.open();
  const uploads = new SqliteFileStore(db, shownNumbers);
  const outbox = new SqliteOutbox(db);
  return {
    documents: new SqliteDocumentStore(db, outbox),
    uploads,
    outbox: async () => (await outbox.lease(10)).map(({ value }) => value),
    async close() {
      db.close();
    },
  };
});

describeDocumentOrders('SQLite', async () => {
  const db = plans.open();
  db.migrate(fileMigrations);
  return {
    orders: new SqliteDocumentOrders(db),
    async close() {
      db.close();
    },
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});

test('files and photos of a former version keep their numbers', async () => {
  const db = new SqliteDatabase(':memory:');
  db.migrate(fileMigrations.slice(0, 1));
  await db.transaction(() => {
    db.run(
      "INSERT INTO files (tenant_id, md5, storage_key, token, name, size, uploaded_at) VALUES ('tnt_1', 'aa', 'pdf/a', 'A', 'a.pdf', 1, 1)",
    );
    db.run(
      "INSERT INTO photos (warehouse_code, storage_key, token, media_type, md5, size, uploaded_at) VALUES ('W', 'p', 'P', 'image/png', 'b', 1, 1)",
    );
  });
  const store = new SqliteFileStore(db, shownNumbers);
  expect((await store.fileByToken('A'))?.id).toBe(1);
  expect((await store.photoByToken('P'))?.id).toBe(1);
  await store.begin('tnt_1', 'pdf/b', 1);
  const young = await store.recordFile('tnt_1', {
    storageKey: 'pdf/b',
    md5: 'bb',
    sha256: 'cc',
    token: 'B',
    name: 'b.pdf',
    size: 1,
    uploadedAt: 1,
    findings: undefined,
  });
  expect([young.file.id, (await store.fileByToken('B'))?.id]).toEqual([1_000_002, 1_000_002]);
  db.close();
});
