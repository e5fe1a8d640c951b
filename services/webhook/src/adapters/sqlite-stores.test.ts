import { describe, expect, jest, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { useTemporaryFiles } from '../testing/temporary-files.ts';
import { acceptIn, EVERY_EVENT, endpointFor, eventFor, planned, replayOf, resultOf, T0 } from '../testing/webhook-fixtures.ts';
import { openSqliteStores } from './sqlite-stores.ts';
import { describeWebhookStores } from './webhook-stores.conformance.ts';

const plans = new QueryPlans(
  [
    '../endpoints/adapters/sqlite-endpoints.ts',
    '../feed/adapters/sqlite-feed.ts',
    '../intake/adapters/sqlite-intake.ts',
    '../queue/adapters/sqlite-log.ts',
    '../queue/adapters/sqlite-queue.ts',
    '../queue/adapters/sqlite-redelivery.ts',
    '../retention/adapters/sqlite-maintenance.ts',
  ].map((file) => new URL(file, import.meta.url)),
  {
    "WHERE status = 'pending' AND available_at <> next_attempt_at": 'once, when the file is opened: what is pending',
    "WHERE position >= (SELECT position FROM deliveries_mark) AND status = 'sending'":
      'once, when the file is opened: what came after the mark',
    'FROM endpoints WHERE tenant_id = ? AND deleted = 0': 'the endpoints of one tenant: ten, and those deleted a moment ago',
    'FROM deliveries d JOIN events e': 'a delivery that waits always has its event: neither is deleted before it is settled',
    'FROM endpoints e INDEXED BY endpoints_disabled': 'maintenance: passes over disabled endpoints that have nothing to hold any more',
    'FROM (SELECT position FROM events INDEXED BY events_feed':
      'finds the end of a stretch: MAX_PASSED entries of the index, once for as many events',
    'FROM events e INDEXED BY events_feed LEFT JOIN':
      'passes over what is not in the range of a replay: MAX_PASSED entries of the index at most',
    'FROM (SELECT position FROM events INDEXED BY events_opt_in': 'as that of the other stream',
    'FROM events e INDEXED BY events_opt_in LEFT JOIN': 'as that of the other stream',
    "endpoint_id = ? AND status = 'succeeded'":
      'passes over what has not succeeded; an index of its own would be written to for every delivery',
  },
  ['idempotency_keys', 'usage_days', 'delivery_days'],
);

describeWebhookStores('sqlite', async () => {
  const db = plans.open();
  return {
    stores: await openSqliteStores(db),
    async close() {
      db.close();
    },
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});

describe('the SQLite file', () => {
  const newFile = useTemporaryFiles();

  test('opened again, what its former process had leased is due at once', async () => {
    const path = newFile();
    const former = new SqliteDatabase(path);
    const before = await openSqliteStores(former);
    const at = Date.now();
    await before.endpoints.insert(endpointFor('tnt_one', { endpointId: 'ep_1' }), 10);
    const event = eventFor('tnt_one', 'FC1');
    await acceptIn(before.intake, event, at, () => ({
      deliveryId: 'dlv_1',
      status: 'pending',
      nextAttemptAt: at,
      leaseUntil: at + 60_000,
    }));
    expect(await before.queue.lease([{ endpointId: 'ep_1', count: 1 }], at, at + 60_000)).toEqual([]);
    former.close();
    const db = new SqliteDatabase(path);
    const after = await openSqliteStores(db);
    expect(await after.queue.lease([{ endpointId: 'ep_1', count: 1 }], at, at + 60_000)).toHaveLength(1);
    db.close();
  });

  test('what a loss of power could undo is shown to nobody', async () => {
    const db = new SqliteDatabase(newFile());
    const { intake, endpoints, feed, log, redelivery } = await openSqliteStores(db);
    const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });
    await endpoints.insert(endpoint, 10);
    let flush: () => void = () => undefined;
    const flushed = new Promise<void>((resolve) => (flush = resolve));
    const spy = jest.spyOn(db, 'flushed').mockReturnValue(flushed);
    await acceptIn(intake, eventFor('tnt_one', 'FC1'), T0, () => planned({ deliveryId: 'dlv_1' }), true);
    const shown: string[] = [];
    const reads = {
      page: feed.page('tnt_one', { since: null }, EVERY_EVENT, 10),
      end: feed.end('tnt_one'),
      list: log.list('tnt_one', 'ep_1', { limit: 10, before: null }),
      get: log.get('tnt_one', 'ep_1', 'dlv_1'),
      ofEvent: log.ofEvent('tnt_one', 'ep_1', eventFor('tnt_one', 'FC1').eventId),
      attempts: log.attempts('tnt_one', 'ep_1', 'dlv_1', 10),
      resend: redelivery.resend('tnt_one', 'ep_1', 'dlv_1', T0),
      replay: redelivery.replay(endpoint, replayOf({ until: T0 * 2, limit: 1 }), T0, () => 'dlv_2'),
      settled: intake.settled(),
    };
    for (const [name, read] of Object.entries(reads)) void read.then(() => shown.push(name));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(shown).toEqual([]);
    flush();
    expect((await reads.page).events).toHaveLength(1);
    expect(await reads.end).toBe('1');
    expect((await reads.list).deliveries).toHaveLength(1);
    expect(await reads.get).toMatchObject({ deliveryId: 'dlv_1' });
    expect(await reads.replay).toEqual({ scheduled: 0, next: '1' });
    spy.mockRestore();
    db.close();
  });

  test('results are recorded once, though the disk cannot be reached after they were committed', async () => {
    const db = new SqliteDatabase(newFile());
    const { intake, endpoints, log, queue } = await openSqliteStores(db);
    await endpoints.insert(endpointFor('tnt_one', { endpointId: 'ep_1' }), 10);
    const made = await acceptIn(intake, eventFor('tnt_one', 'FC1'), T0, () => planned({ deliveryId: 'dlv_1', leaseUntil: T0 + 500 }));
    const spy = jest.spyOn(db, 'flushed').mockRejectedValueOnce(AppError.unavailable('The disk is out'));
    const result = resultOf(made[0]?.leased as LeasedDelivery, 'failed');
    const health = jest.fn((endpoint: Endpoint) => endpoint);
    // As a recorder does: until it is taken.
    const record = async (tries = 3): Promise<unknown> => {
      try {
        return await queue.record([result], health);
      } catch (error) {
        if (tries === 1) throw error;
        return record(tries - 1);
      }
    };
    await record();
    spy.mockRestore();
    expect(await log.attempts('tnt_one', 'ep_1', 'dlv_1', 10)).toHaveLength(1);
    expect(health).toHaveBeenCalledTimes(1);
    db.close();
  });

  test('of one forecast at most one event is not on the disk yet', async () => {
    const db = new SqliteDatabase(newFile());
    const { intake } = await openSqliteStores(db);
    const transaction = jest.spyOn(db, 'transaction');
    let number = 0;
    /** Takes an event in. @returns whether it may be flushed later */
    const accept = async (forecastNo: string | null, comesAgain = true) => {
      number += 1;
      const eventId = `evt_${number}`;
      await acceptIn(
        intake,
        eventFor('tnt_one', forecastNo ?? '', { eventId, ...(forecastNo === null && { parcel: null }) }),
        T0,
        () => null,
        comesAgain,
      );
      return transaction.mock.lastCall?.[1]?.flushLater;
    };
    expect(await Promise.all([accept('FC1'), accept('FC1'), accept('FC2')])).toHaveLength(3);
    expect(transaction.mock.calls.map(([, options]) => options?.flushLater)).toEqual([true, false, true]);
    // The one that waited has brought the one before it to the disk.
    expect([await accept('FC1'), await accept('FC1'), await accept('FC1')]).toEqual([false, true, false]);
    expect([await accept(null), await accept(null), await accept('FC3', false)]).toEqual([true, true, false]);
    const later = accept('FC4');
    await intake.settled();
    await later;
    expect([await accept('FC1'), await accept('FC4')]).toEqual([true, false]);
    await intake.settled();
    expect(await accept('FC4')).toBe(true);
    await intake.settled();
    await Promise.all(Array.from({ length: 5_000 }, (_, index) => accept(`FC-${index}`)));
    expect(await accept('FC-one-too-many')).toBe(false);
    await intake.settled();
    expect(await accept('FC-one-too-many')).toBe(true);
    db.close();
  });

  test('the feed finds an instant among events of all tenants, whatever the retention has left', async () => {
    const db = new SqliteDatabase(':memory:');
    const { intake, feed } = await openSqliteStores(db);
    const taken: { readonly eventId: string; readonly at: number }[] = [];
    for (let at = 0; taken.length < 200; at += taken.length % 7) {
      const event = eventFor(`tnt_${taken.length % 3}`, 'FC1');
      taken.push({ eventId: event.eventId, at });
      await acceptIn(intake, event, at, () => null);
    }
    const left = taken.filter((_, index) => index > 20 && index % 5 !== 0);
    await db.transaction(() => db.run('DELETE FROM events WHERE position <= 21 OR (position - 1) % 5 = 0'));
    for (let since = 0; since <= (taken.at(-1)?.at ?? 0) + 1; since += 1) {
      const pages = await Promise.all([0, 1, 2].map((tenant) => feed.page(`tnt_${tenant}`, { since }, EVERY_EVENT, 1000)));
      const found = pages.flatMap(({ events }) => events.map(({ eventId }) => eventId));
      expect(found.sort()).toEqual(left.flatMap(({ eventId, at }) => (at >= since ? eventId : [])).sort());
    }
    db.close();
  });

  test('a replay passes over what is not in its range in stretches, and finds what was stored long after it happened', async () => {
    const db = new SqliteDatabase(':memory:');
    const { intake, redelivery } = await openSqliteStores(db);
    const others = Array.from({ length: 12_000 }, (_, index) =>
      eventFor('tnt_one', 'FC1', { occurredAt: index % 2 === 0 ? T0 - 1 : T0 + 9 }),
    );
    await Promise.all(others.map((event) => acceptIn(intake, event, T0, () => null)));
    await acceptIn(intake, eventFor('tnt_one', 'FC1', { occurredAt: T0 + 1 }), T0 + 86_400_000, () => null);
    const batches: number[] = [];
    let after: string | null = null;
    do {
      const batch: Awaited<ReturnType<typeof redelivery.replay>> = await redelivery.replay(
        endpointFor('tnt_one', { endpointId: 'ep_1' }),
        replayOf({ since: T0, until: T0 + 9, limit: 500, after }),
        T0 + 86_400_001,
        () => `dlv_${batches.length}`,
      );
      batches.push(batch.scheduled);
      expect(batches.length).toBeLessThanOrEqual(3);
      after = batch.next;
    } while (after !== null);
    expect(batches).toEqual([0, 0, 1]);
    db.close();
  });
});

describe('the cache of endpoints', () => {
  test('is dropped when a change that filled it is rolled back', async () => {
    const db = new SqliteDatabase(':memory:');
    const { endpoints, intake, queue } = await openSqliteStores(db);
    const both = [endpointFor('tnt_one'), endpointFor('tnt_one')];
    for (const endpoint of both) await endpoints.insert(endpoint, 10);
    const made = await acceptIn(intake, eventFor('tnt_one', 'FC1'), T0, () => planned({ leaseUntil: T0 + 60_000 }));
    const results = made.map(({ leased }) => resultOf(leased as LeasedDelivery, 'failed'));
    let asked = 0;
    const refuseSecond = (one: Endpoint): Endpoint => {
      asked += 1;
      if (asked === 2) throw new Error('refused');
      return { ...one, failingSince: T0 };
    };
    await expect(queue.record(results, refuseSecond)).rejects.toThrow('refused');
    expect(await endpoints.list('tnt_one')).toEqual(both);
    db.close();
  });

  test('forgets the endpoints of an erased tenant', async () => {
    const db = new SqliteDatabase(':memory:');
    const { endpoints, tenantData } = await openSqliteStores(db);
    await endpoints.insert(endpointFor('tnt_one'), 10);
    expect(await endpoints.list('tnt_one')).toHaveLength(1);
    await tenantData.kinds.find(({ name }) => name === 'endpoints')?.erase?.('tnt_one');
    expect(await endpoints.list('tnt_one')).toEqual([]);
    db.close();
  });
});
