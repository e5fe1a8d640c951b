import { expect, test } from '@jest/globals';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { describeConnectionStores } from './connection-stores.conformance.ts';
import { createSqliteCallLedgers } from './sqlite-call-ledgers.ts';
import { createSqliteConnections } from './sqlite-connections.ts';
import { connectionTables } from './sqlite-schema.ts';

const plans = new QueryPlans(
  ['sqlite-connections.ts', 'sqlite-call-ledgers.ts'].map((file) => new URL(`./${file}`, import.meta.url)),
  { 'FROM connections WHERE tenant_id IS ?': 'the connections of one owner: MAX_CONNECTIONS at most' },
);

describeConnectionStores('sqlite', async () => {
  const db = plans.open();
  db.migrate([connectionTables]);
  return {
    connections: createSqliteConnections(db),
    ledgers: createSqliteCallLedgers(db),
    async close() {
      db.close();
    },
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
