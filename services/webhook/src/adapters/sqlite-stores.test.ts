import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { fullScansOf } from '@parcelway/sqlite/full-scans';
import { endpointFor, eventFor } from '../testing/webhook-fixtures.ts';
import { pageQuery } from './sqlite-log.ts';
import { NEXT_ENDPOINT } from './sqlite-queue.ts';
import { openSqliteStores } from './sqlite-stores.ts';
import { describeWebhookStores } from './webhook-stores.conformance.ts';

const MAY_SCAN = [
  'available_at <> next_attempt_at', // Once, when the file is opened, over the index of what is pending.
  'FROM (SELECT * FROM attempts', // Turns one page of the attempts of one delivery round; the page is found by index.
  "WHERE e.status = 'disabled'", // Upkeep in the background: endpoints are few, their deliveries are found by index.
  'FROM endpoints WHERE deleted = 1 LIMIT 1', // Upkeep in the background: endpoints are few.
];
const scans = new Set<string>();

describeWebhookStores('sqlite', async () => {
  const db = new SqliteDatabase(':memory:');
  return {
    stores: await openSqliteStores(db),
    async close() {
      for (const scan of fullScansOf(db, MAY_SCAN)) scans.add(scan);
      db.close();
    },
  };
});

test('none of the statements above goes through a whole table', () => {
  expect([...scans]).toEqual([]);
});

describe('the SQLite file', () => {
  test('opened again, what its former process had leased is due at once', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'webhook-stores-')), 'webhook.db');
    const former = new SqliteDatabase(path);
    const before = await openSqliteStores(former);
    const at = Date.now();
    await before.endpoints.insert(endpointFor('tnt_one', { endpointId: 'ep_1' }), 10);
    const event = eventFor('tnt_one', 'FC1');
    await before.intake.accept(event, at, () => ({ deliveryId: 'dlv_1', status: 'pending', nextAttemptAt: at, leaseUntil: at + 60_000 }));
    expect(await before.queue.lease([{ endpointId: 'ep_1', count: 1 }], at, at + 60_000)).toEqual([]);
    former.close();
    const db = new SqliteDatabase(path);
    const after = await openSqliteStores(db);
    expect(await after.queue.lease([{ endpointId: 'ep_1', count: 1 }], at, at + 60_000)).toHaveLength(1);
    db.close();
  });

  test('every query of the senders and of tenants is served by an index', async () => {
    const db = new SqliteDatabase(':memory:');
    await openSqliteStores(db);
    const planOf = (sql: string): string =>
      db
        .all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .map(({ detail }) => detail)
        .join('; ');
    const queue = planOf(NEXT_ENDPOINT.replace('?', "'x'"));
    expect(queue).toContain('deliveries_queue');
    expect(queue).not.toContain('TEMP B-TREE');
    const feed = planOf("SELECT body FROM events WHERE tenant_id = 'x' AND position > 1 AND test = 0 ORDER BY position LIMIT 9");
    expect(feed).toContain('events_feed');
    expect(feed).not.toContain('TEMP B-TREE');
    for (const [status, index] of [
      [undefined, 'deliveries_by_endpoint'],
      ['succeeded', 'deliveries_by_endpoint'],
      ['failed', 'deliveries_unfinished'],
    ] as const) {
      const plan = planOf(pageQuery(status).replaceAll('?', '1'));
      expect(plan).toContain(index);
      expect(plan).not.toContain('TEMP B-TREE');
    }
    db.close();
  });
});
