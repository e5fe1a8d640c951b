import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { fullScansOf } from '@parcelway/sqlite/full-scans';
import { endpointFor, eventFor, T0 } from '../testing/webhook-fixtures.ts';
import { pageQuery } from './sqlite-log.ts';
import { NEXT_ENDPOINT } from './sqlite-queue.ts';
import { EVENTS, STRETCH } from './sqlite-redelivery.ts';
import { openSqliteStores } from './sqlite-stores.ts';
import { describeWebhookStores } from './webhook-stores.conformance.ts';

const MAY_SCAN = [
  'available_at <> next_attempt_at', // Once, when the file is opened, over the index of what is pending.
  'FROM deliveries_mark', // Has one row; asked once, when the file is opened.
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

  test('the feed finds an instant among events of all tenants, whatever the retention has left', async () => {
    const db = new SqliteDatabase(':memory:');
    const { intake, feed } = await openSqliteStores(db);
    const taken: { readonly eventId: string; readonly at: number }[] = [];
    for (let at = 0; taken.length < 200; at += taken.length % 7) {
      const event = eventFor(`tnt_${taken.length % 3}`, 'FC1');
      taken.push({ eventId: event.eventId, at });
      await intake.accept(event, at, () => null);
    }
    const left = taken.filter((_, index) => index > 20 && index % 5 !== 0);
    await db.transaction(() => db.run('DELETE FROM events WHERE position <= 21 OR (position - 1) % 5 = 0'));
    for (let since = 0; since <= (taken.at(-1)?.at ?? 0) + 1; since += 1) {
      const pages = await Promise.all([0, 1, 2].map((tenant) => feed.page(`tnt_${tenant}`, { since }, null, 1000)));
      const found = pages.flatMap(({ events }) => events.map(({ eventId }) => eventId));
      expect(found.sort()).toEqual(left.flatMap(({ eventId, at }) => (at >= since ? eventId : [])).sort());
    }
    db.close();
  });

  test('a replay passes over what is not in its range in stretches, and finds what was taken in long after it happened', async () => {
    const db = new SqliteDatabase(':memory:');
    const { intake, redelivery } = await openSqliteStores(db);
    const since = T0;
    const others = Array.from({ length: 12_000 }, (_, index) =>
      eventFor('tnt_one', 'FC1', { occurredAt: index % 2 === 0 ? T0 - 1 : T0 + 9 }),
    );
    await Promise.all(others.map((event) => intake.accept(event, T0, () => null)));
    await intake.accept(eventFor('tnt_one', 'FC1', { occurredAt: T0 + 1 }), T0 + 86_400_000, () => null);
    const range = { types: ['parcel.weighed'], since, until: T0 + 9, only: 'all', limit: 500, matches: () => true } as const;
    const batches: number[] = [];
    let after: string | null = null;
    do {
      const batch: Awaited<ReturnType<typeof redelivery.replay>> = await redelivery.replay(
        endpointFor('tnt_one', { endpointId: 'ep_1' }),
        { ...range, after },
        T0 + 86_400_001,
        () => `dlv_${batches.length}`,
      );
      batches.push(batch.scheduled);
      after = batch.next;
    } while (after !== null);
    expect(batches).toEqual([0, 0, 1]);
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
    const [stretch = '', events = ''] = [STRETCH, EVENTS].map((sql) => planOf(sql.replaceAll('?', '1')));
    expect(stretch).toContain('COVERING INDEX events_feed');
    expect(events).toContain('e USING INDEX events_feed');
    for (const plan of [stretch, events]) expect(plan).not.toContain('TEMP B-TREE');
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
