import { expect, test } from '@jest/globals';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { openSqliteStores } from '../../adapters/sqlite-stores.ts';
import { describeWebhookTenantData } from './tenant-data.conformance.ts';

const plans = new QueryPlans([new URL('sqlite-tenant-data.ts', import.meta.url)], {
  "WHERE status = 'pending' AND available_at <> next_attempt_at": 'once, when the file is opened: what is pending',
  "WHERE position >= (SELECT position FROM deliveries_mark) AND status = 'sending'":
    'once, when the file is opened: what came after the mark',
  'FROM endpoints WHERE tenant_id = ? AND deleted = 0': 'the endpoints of one tenant: ten, and those deleted a moment ago',
});

describeWebhookTenantData(
  'SQLite',
  ['endpoints', 'deliveries', 'events', 'sequences', 'idempotency_keys', 'usage', 'delivery_figures'],
  async () => {
    const db = plans.open();
    return { stores: await openSqliteStores(db), dump: async () => dumpOf(db), close: async () => db.close() };
  },
);

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
