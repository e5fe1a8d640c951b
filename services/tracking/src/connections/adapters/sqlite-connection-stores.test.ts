import { expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { describeConnectionStores } from './connection-stores.conformance.ts';
import { createSqliteCallLedgers } from './sqlite-call-ledgers.ts';
import { createSqliteConnections } from './sqlite-connections.ts';
import { connectionLimitsColumn, connectionTables } from './sqlite-schema.ts';

const plans = new QueryPlans(
  ['sqlite-connections.ts', 'sqlite-call-ledgers.ts'].map((file) => new URL(`./${file}`, import.meta.url)),
  { 'FROM connections WHERE tenant_id IS ?': 'the connections of one owner: MAX_CONNECTIONS at most' },
);

describeConnectionStores('sqlite', async () => {
  const db = plans.open();
  db.migrate([connectionTables, connectionLimitsColumn]);
  return {
    connections: createSqliteConnections(db),
    ledgers: createSqliteCallLedgers(db),
    async close() {
      db.close();
    },
  };
});

test('connections of a file without limits have the standard ones', async () => {
  const db = new SqliteDatabase(':memory:');
  db.migrate([connectionTables]);
  await db.transaction(() => db.run("INSERT INTO connections VALUES ('con_a', 'tnt_a', 'dhl', NULL, '[\"dhl\"]', 's1.k.AAAA', 1, 1)"));
  db.migrate([connectionTables, connectionLimitsColumn]);
  const former = await createSqliteConnections(db).get('con_a');
  db.close();
  expect(former).toMatchObject({ connectionId: 'con_a', limits: null, sealedCredentials: 's1.k.AAAA', updatedAt: 1 });
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
