import { expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { dispatchOf, NOW, node } from '../../testing/samples.ts';
import { testStore } from '../../testing/tracking-store-driver.ts';
import { MAX_NODES } from '../domain/node.ts';
import { MAX_COUNTED } from '../ports.ts';
import { PollLeases } from './poll-leases.ts';
import { createSqlitePollQueue, DUE, OVERDUE } from './sqlite-poll-queue.ts';
import { trackingMigrations } from './sqlite-schema.ts';
import { BY_PO_NUMBER, createSqliteSimulatedParcels, createSqliteTrackingStore } from './sqlite-tracking-store.ts';
import { describeTrackingStore } from './tracking-store.conformance.ts';

const plans = new QueryPlans(
  ['sqlite-parcels.ts', 'sqlite-poll-queue.ts', 'sqlite-retention.ts', 'sqlite-tracking-store.ts'].map(
    (file) => new URL(`./${file}`, import.meta.url),
  ),
  {
    'FROM (SELECT next_poll_at FROM shipments': 'counts what is due, MAX_COUNTED at most',
    'FROM nodes WHERE tenant_id = ?': 'the nodes of one parcel: MAX_NODES at most, and those that one response adds',
    'FROM simulated_nodes WHERE tenant_id = ?': 'the nodes of one parcel: MAX_NODES at most',
    'AND NOT EXISTS ( SELECT 1 FROM shipments': 'retention: passes over old forecasts whose parcel is still under watch',
  },
  ['connections', 'call_ledgers', 'idempotency_keys', 'work_leases'],
);

describeTrackingStore('sqlite', async () => {
  const db = plans.open();
  db.migrate(trackingMigrations);
  const outbox = new SqliteOutbox(db);
  return {
    store: createSqliteTrackingStore(db, outbox),
    published: async () => (await outbox.lease(100_000)).map((message) => message.value),
    emptyOutbox: async () => outbox.remove((await outbox.lease(100_000)).map(({ id }) => id)),
    async close() {
      db.close();
    },
  };
});

test('what is due is counted and found by the index alone, and counted no further than the limit', async () => {
  const db = new SqliteDatabase(':memory:');
  db.migrate(trackingMigrations);
  const planOf = (sql: string, ...values: number[]) =>
    db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => detail);
  for (const plan of [planOf(OVERDUE, NOW), planOf(DUE, NOW, 1)]) {
    expect(plan).toContainEqual(expect.stringContaining('SEARCH shipments USING COVERING INDEX shipments_due (next_poll_at<?)'));
  }
  const { changes } = await db.transaction(() =>
    db.run(
      `INSERT INTO shipments (tenant_id, forecast_no, further_number, po_number, carrier_code, tracking_number, watch, sequence, watched_since, dispatched_at, is_watched, last_change_at, next_poll_at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= ?)
       SELECT 'tnt_a', 'FC' || i, '', 'PO', 'sim', 'SIM', 1, '', 0, 0, 1, 0, i FROM n`,
      MAX_COUNTED,
    ),
  );
  expect(changes).toBe(MAX_COUNTED + 1);
  expect(await createSqlitePollQueue(db, new PollLeases()).overdue(NOW)).toEqual({ count: MAX_COUNTED, oldestDueAt: 1 });
  db.close();
});

test('a lease lasts no longer than its process, and outlives a write that fails', async () => {
  const db = new SqliteDatabase(':memory:');
  db.migrate(trackingMigrations);
  const open = () => testStore(createSqliteTrackingStore(db, new SqliteOutbox(db)));
  const store = open();
  await store.dispatch(dispatchOf());
  expect(await store.lease(NOW, NOW + 1000, 10)).toMatchObject([{ forecastNo: 'FC1', dueAt: NOW }]);
  const failing = store.change([], () => {
    throw new Error('no decision');
  });
  await expect(failing).rejects.toThrow('no decision');
  expect(await store.lease(NOW, NOW + 1000, 10)).toEqual([]);
  expect(await open().lease(NOW, NOW + 1000, 10)).toMatchObject([{ forecastNo: 'FC1' }]);
  db.close();
});

test('a simulated parcel keeps as many nodes as may be', async () => {
  const db = plans.open();
  db.migrate(trackingMigrations);
  await db.transaction(() =>
    db.run(
      `INSERT INTO simulated_nodes (tenant_id, tracking_number, seq, instant, node)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT 'tnt_a', 'SIM1', i, i, ? FROM n`,
      MAX_NODES,
      JSON.stringify(node(1)),
    ),
  );
  const parcels = createSqliteSimulatedParcels(db);
  const parcel = { tenantId: 'tnt_a', trackingNumber: 'SIM1' };
  const made = await parcels.addSimulatedNode(parcel, { adminStatus: 'Exception' }, NOW);
  const nodes = await parcels.simulatedNodes(parcel);
  expect(nodes).toHaveLength(MAX_NODES);
  expect(nodes.at(-1)).toEqual(made);
  db.close();
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});

test('a query for a po_number does not walk all forecasts of its tenant', () => {
  const db = new SqliteDatabase(':memory:');
  db.migrate(trackingMigrations);
  const plan = db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${BY_PO_NUMBER}`, 'tnt_a', 'PO-1').map(({ detail }) => detail);
  expect(plan).toContainEqual(expect.stringContaining('forecasts_by_po (tenant_id=? AND po_number=?)'));
  db.close();
});
