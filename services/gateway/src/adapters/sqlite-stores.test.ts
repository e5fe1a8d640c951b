import { expect, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { fullScansOf } from '@parcelway/sqlite/full-scans';
import { describeGatewayStores } from './gateway-stores.conformance.ts';
import { createSqliteStores } from './sqlite-stores.ts';

/** Lists of a person at the admin interface, and statements that end at their LIMIT in the order of the table. */
const MAY_SCAN = [
  'FROM keys WHERE (?1 IS NULL OR tenant_id = ?1)', // Admin list: one statement for every filter, at human pace.
  'FROM tenants ORDER BY created_at', // Admin list and first start.
  'FROM warehouses ORDER BY code LIMIT', // Walks the primary key up to its LIMIT; warehouses are tens.
  'SELECT 1 FROM tenants LIMIT 1', // The check: one row.
];
const scans = new Set<string>();

describeGatewayStores('SQLite', async () => {
  const db = new SqliteDatabase(':memory:');
  const stores = createSqliteStores(db, systemClock);
  return {
    stores,
    published: () => stores.outbox.lease(100),
    async close() {
      for (const scan of fullScansOf(db, MAY_SCAN)) scans.add(scan);
      db.close();
    },
  };
});

test('none of the statements above goes through a whole table', () => {
  expect([...scans]).toEqual([]);
});
