import { expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { fullScansOf } from '@parcelway/sqlite/full-scans';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { trackingMigrations } from './sqlite-schema.ts';
import { BY_PO_NUMBER, SqliteTrackingStore } from './sqlite-tracking-store.ts';
import { describeTrackingStore } from './tracking-store.conformance.ts';

const scans = new Set<string>();

describeTrackingStore('sqlite', async () => {
  const db = new SqliteDatabase(':memory:');
  db.migrate(trackingMigrations);
  const outbox = new SqliteOutbox(db);
  return {
    store: new SqliteTrackingStore(db, outbox, 'sandbox'),
    published: async () => (await outbox.lease(100_000)).map((message) => message.value),
    emptyOutbox: async () => outbox.remove((await outbox.lease(100_000)).map(({ id }) => id)),
    async close() {
      for (const scan of fullScansOf(db)) scans.add(scan);
      db.close();
    },
  };
});

test('none of the statements above goes through a whole table', () => {
  expect([...scans]).toEqual([]);
});

test('a query for a po_number does not walk all forecasts of its tenant', () => {
  const db = new SqliteDatabase(':memory:');
  db.migrate(trackingMigrations);
  const plan = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${BY_PO_NUMBER}`, 'tnt_a', 'PO-1').map(({ detail }) => detail);
  expect(plan).toContainEqual(expect.stringContaining('forecasts_by_po (tenant_id=? AND po_number=?)'));
  db.close();
});
