import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { openSqliteStores } from '../../adapters/sqlite-stores.ts';
import { change, type Endpoint } from '../../endpoints/domain/endpoint.ts';
import type { WebhookStores } from '../../ports.ts';
import { useTemporaryFiles } from '../../testing/temporary-files.ts';
import { acceptIn, endpointFor, eventFor, keep, planned, replayOf, resultOf, T0 } from '../../testing/webhook-fixtures.ts';
import type { LeasedDelivery } from '../domain/delivery.ts';
import type { AcceptedDelivery } from '../ports.ts';
import { InFlightDeliveries } from './sqlite-in-flight.ts';

const plans = new QueryPlans([new URL('./sqlite-in-flight.ts', import.meta.url)], {
  "WHERE status = 'pending' AND available_at <> next_attempt_at": 'once, when the file is opened: what is pending',
  "WHERE position >= (SELECT position FROM deliveries_mark) AND status = 'sending'":
    'once, when the file is opened: what came after the mark',
});

const LEASED_UNTIL = T0 + 60_000;

describe('deliveries that are sent as they are made', () => {
  const newFile = useTemporaryFiles();
  let path: string;
  let db: SqliteDatabase;
  let stores: WebhookStores;
  let endpoint: Endpoint;

  const open = async (): Promise<void> => {
    db = plans.open(path);
    stores = await openSqliteStores(db);
  };
  beforeEach(async () => {
    path = newFile();
    await open();
    endpoint = endpointFor('tnt_one');
    await stores.endpoints.insert(endpoint, 10);
  });
  afterEach(() => db.close());

  const accept = async (leaseUntil: number | null): Promise<AcceptedDelivery> =>
    (await acceptIn(stores.intake, eventFor('tnt_one', 'FC1'), T0, () => planned({ leaseUntil })))[0] as AcceptedDelivery;
  const lease = (now: number) => stores.queue.lease([{ endpointId: endpoint.endpointId, count: 64 }], now, now + 60_000);
  const pending = async (before: string | null = null, limit = 100) => {
    const page = await stores.log.list('tnt_one', endpoint.endpointId, { status: 'pending', limit, before });
    return { ids: page.deliveries.map(({ deliveryId }) => deliveryId), next: page.next };
  };
  const statusOf = async (one: AcceptedDelivery) => (await stores.log.get('tnt_one', endpoint.endpointId, one.delivery.deliveryId))?.status;

  test('are listed as pending, among those that wait, page by page', async () => {
    const made: AcceptedDelivery[] = [];
    for (let count = 0; count < 9; count += 1) made.push(await accept(count % 2 === 0 ? LEASED_UNTIL : null));
    await stores.queue.record([resultOf(made[4]?.leased as LeasedDelivery, 'succeeded')], keep);
    const expected = made.filter((_, index) => index !== 4).map(({ delivery }) => delivery.deliveryId);
    const listed: string[] = [];
    for (let place: string | null | undefined; place !== null; ) {
      const { ids, next } = await pending(place ?? null, 3);
      listed.push(...ids);
      place = next;
    }
    expect(listed).toEqual(expected.reverse());
  });

  test('are forgotten when the file refuses their batch', async () => {
    const plan = () => planned({ deliveryId: 'dlv_same', leaseUntil: LEASED_UNTIL });
    const batch = ['FC1', 'FC2'].map((forecastNo) => ({ event: eventFor('tnt_one', forecastNo), plan }));
    await expect(stores.intake.accept(batch, T0)).rejects.toThrow('UNIQUE');
    const next = await accept(LEASED_UNTIL);
    expect((await pending()).ids).toEqual([next.delivery.deliveryId]);
  });

  test('are held when their endpoint is disabled, and leave what comes of them alone', async () => {
    const one = await accept(LEASED_UNTIL);
    await stores.endpoints.update('tnt_one', endpoint.endpointId, (now) => change(now, { status: 'disabled' }, T0));
    while (await stores.maintenance.holdDisabled(10)) {}
    expect(await statusOf(one)).toBe('held');
    await stores.queue.record([resultOf(one.leased as LeasedDelivery, 'pending', T0 + 50)], keep);
    expect(await statusOf(one)).toBe('held');
    expect((await pending()).ids).toEqual([]);
  });

  test('are under way for a resend and a replay, and not deleted by the retention', async () => {
    const one = await accept(LEASED_UNTIL);
    await stores.redelivery.resend('tnt_one', endpoint.endpointId, one.delivery.deliveryId, T0 + 1);
    expect((await stores.redelivery.replay(endpoint, replayOf({ until: T0 + 9 }), T0 + 1, () => 'dlv_x')).scheduled).toBe(0);
    await stores.maintenance.expireDeliveries(T0 + 1, 10);
    expect(await lease(LEASED_UNTIL - 1)).toEqual([]);
    expect((await lease(LEASED_UNTIL)).map(({ delivery }) => delivery)).toEqual([one.delivery]);
  });

  test('of a process that was killed are due when the file is opened again, however many came after them', async () => {
    const early = await accept(LEASED_UNTIL);
    const settle = async (count: number): Promise<void> => {
      const made = await Promise.all(Array.from({ length: count }, () => accept(LEASED_UNTIL)));
      const results = made.map(({ leased }) => resultOf(leased as LeasedDelivery, 'succeeded'));
      await stores.queue.record(results, keep);
    };
    const mark = (): number => db.get<{ position: number }>('SELECT position FROM deliveries_mark')?.position ?? -1;
    await settle(1500);
    await settle(1);
    expect(mark()).toBe(1);
    await stores.queue.record([resultOf(early.leased as LeasedDelivery, 'succeeded')], keep);
    await settle(1);
    expect(mark()).toBeGreaterThan(1000);
    const left = [await accept(LEASED_UNTIL), await accept(LEASED_UNTIL)];
    await settle(1500);
    await settle(1);
    // Without the release of leases that a clean stop begins with.
    db.close();
    await open();
    const ids = left.map(({ delivery }) => delivery.deliveryId);
    expect((await lease(T0)).map(({ delivery }) => delivery.deliveryId)).toEqual(ids);
    expect((await pending()).ids).toEqual([...ids].reverse());
  });

  test('of a process that was killed are due although positions after theirs were given out and taken back', async () => {
    await accept(null);
    const inFlight = new InFlightDeliveries(db);
    const undone = { tenantId: 'tnt_one', deliveryId: 'dlv_undone', endpointId: endpoint.endpointId, leaseUntil: LEASED_UNTIL };
    inFlight.add({ ...undone, position: 5000 });
    inFlight.remove(['dlv_undone']);
    await db.transaction(() => inFlight.keepMark());
    const left = await accept(LEASED_UNTIL);
    db.close();
    await open();
    const ids = (await lease(T0)).map(({ delivery }) => delivery.deliveryId);
    expect(ids).toContain(left.delivery.deliveryId);
  });
});
