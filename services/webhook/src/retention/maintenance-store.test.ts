import { beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@parcelway/kernel/ids';
import { disable, disablingPublished } from '../endpoints/domain/disabling.ts';
import { change, type Endpoint } from '../endpoints/domain/endpoint.ts';
import { deliveries, keyOfDelivery } from '../intake/deliveries-collection.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import type { PlannedDelivery } from '../intake/domain/plan-delivery.ts';
import { sequences } from '../intake/event-collections.ts';
import type { WebhookStores } from '../ports.ts';
import { useStores } from '../testing/stores-under-test.ts';
import { acceptIn, endpointFor, eventFor, keep, planned, replayOf, resultOf, T0 } from '../testing/webhook-fixtures.ts';

const under = useStores();

describe('maintenance', () => {
  const { accept, acceptOne, leaseAll } = under;
  let stores: WebhookStores;
  let endpoint: Endpoint;
  beforeEach(() => {
    ({ stores, endpoint } = under);
  });

  async function all(batch: () => Promise<boolean>): Promise<number> {
    let batches = 1;
    while (await batch()) batches += 1;
    return batches;
  }
  const list = () => stores.log.list('tnt_one', endpoint.endpointId, { limit: 100, before: null });

  test('holds what is pending at disabled endpoints, in batches, and nothing else', async () => {
    const other = endpointFor('tnt_one');
    await stores.endpoints.insert(other, 10);
    for (let count = 0; count < 5; count += 1) await accept(eventFor('tnt_one', 'FC1'));
    await stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => change(one, { status: 'disabled' }, T0));
    expect(await all(() => stores.maintenance.holdDisabled(2))).toBe(3);
    expect((await list()).deliveries.map(({ status, nextAttemptAt }) => [status, nextAttemptAt])).toEqual(Array(5).fill(['held', null]));
    const page = await stores.log.list('tnt_one', other.endpointId, { status: 'pending', limit: 100, before: null });
    expect(page.deliveries).toHaveLength(5);
  });

  test('deletes what belonged to a deleted endpoint', async () => {
    const { delivery } = await acceptOne(eventFor('tnt_one', 'FC1'), planned({ leaseUntil: T0 + 1 }));
    for (let count = 0; count < 4; count += 1) await acceptOne();
    const [leased] = await leaseAll(T0 + 1, T0 + 2, 1);
    await stores.queue.record([resultOf(leased as LeasedDelivery, 'succeeded')], keep);
    expect(await stores.endpoints.remove('tnt_one', endpoint.endpointId)).toBe(true);
    expect(await stores.endpoints.remove('tnt_one', endpoint.endpointId)).toBe(false);
    expect(await stores.endpoints.list('tnt_one')).toEqual([]);
    expect(await leaseAll(T0 + 99, T0 + 100)).toEqual([]);
    await all(() => stores.maintenance.purgeDeleted(2));
    expect((await list()).deliveries).toEqual([]);
    expect(await stores.log.attempts('tnt_one', endpoint.endpointId, delivery.deliveryId, 10)).toEqual([]);
    // A result that comes after that is of no consequence.
    expect(await stores.queue.record([resultOf(leased as LeasedDelivery, 'succeeded')], keep)).toEqual([]);
  });

  test('deletes what changes while it is deleted, too, before its endpoint', async () => {
    const { delivery } = await acceptOne();
    await stores.endpoints.remove('tnt_one', endpoint.endpointId);
    const [stored] = await under.documents.read(deliveries, [keyOfDelivery(delivery)]);
    if (stored === undefined) throw new Error('The delivery is not there');
    const changed = under.documents.apply([{ in: deliveries, patch: stored, set: { lastStatusCode: 500 } }]);
    expect(await stores.maintenance.purgeDeleted(2)).toBe(true);
    await changed;
    await all(() => stores.maintenance.purgeDeleted(2));
    expect(await under.documents.read(deliveries, [keyOfDelivery(delivery)])).toEqual([]);
  });

  test('expires what is settled, and keeps what is pending or young', async () => {
    const accepted = async (at: number, plan: PlannedDelivery) => {
      await acceptIn(stores.intake, eventFor('tnt_one', 'FC1', { occurredAt: at }), at, () => plan);
      return plan.deliveryId;
    };
    const pending = await accepted(T0, planned());
    await accepted(T0, planned({ status: 'held', nextAttemptAt: null }));
    const young = await accepted(T0 + 1000, planned({ status: 'held', nextAttemptAt: null }));
    await all(() => stores.maintenance.expireDeliveries(T0 + 500, 2));
    await all(() => stores.maintenance.expireEvents(T0 + 500, 2));
    expect((await list()).deliveries.map(({ deliveryId }) => deliveryId)).toEqual([young, pending]);
    // The event of the expired delivery is gone with it; those of the other two are there.
    const replayed = stores.redelivery.replay(endpoint, replayOf({ until: T0 + 9000 }), T0 - 1, () => newId('dlv'));
    expect(await replayed).toMatchObject({ scheduled: 2 });
  });

  test('events go only when they are old and have no delivery left', async () => {
    const bare = eventFor('tnt_one', 'FC1');
    const used = eventFor('tnt_one', 'FC1');
    await accept(bare, () => null);
    await accept(used, () => planned({ status: 'held', nextAttemptAt: null }));
    const bodies = () => Promise.all([bare, used].map(({ eventId }) => stores.log.body('tnt_one', eventId)));
    await all(() => stores.maintenance.expireEvents(T0, 10));
    expect(await bodies()).toEqual(['{"seq":1}', '{"seq":2}']);
    await all(() => stores.maintenance.expireEvents(T0 + 1, 10));
    expect(await bodies()).toEqual([undefined, '{"seq":2}']);
    await all(() => stores.maintenance.expireDeliveries(T0 + 1, 10));
    expect(await bodies()).toEqual([undefined, '{"seq":2}']);
    await all(() => stores.maintenance.expireEvents(T0 + 1, 10));
    expect(await bodies()).toEqual([undefined, undefined]);
  });

  test('finds the endpoints whose disabling is to be published, until it has been, or they are deleted', async () => {
    const others = [endpointFor('tnt_two'), endpointFor('tnt_two'), endpointFor('tnt_two')] as const;
    const [second, deleted, byTenant] = others;
    for (const other of others) await stores.endpoints.insert(other, 10);
    const disabled = await stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => disable(one, 'gone', T0));
    await stores.endpoints.update('tnt_two', second.endpointId, (one) => disable(one, 'failing', T0 + 1));
    await stores.endpoints.update('tnt_two', deleted.endpointId, (one) => disable(one, 'failing', T0 + 2));
    await stores.endpoints.update('tnt_two', byTenant.endpointId, (one) => change(one, { status: 'disabled' }, T0));
    await stores.endpoints.remove('tnt_two', deleted.endpointId);
    expect((await stores.maintenance.disablingsToPublish(10)).map(({ endpointId }) => endpointId)).toEqual([
      endpoint.endpointId,
      second.endpointId,
    ]);
    expect(await stores.maintenance.disablingsToPublish(1)).toEqual([disabled]);
    await stores.endpoints.update('tnt_one', endpoint.endpointId, disablingPublished);
    expect((await stores.maintenance.disablingsToPublish(10)).map(({ endpointId }) => endpointId)).toEqual([second.endpointId]);
  });

  test('finds the endpoints that have been paused for long', async () => {
    const others = [endpointFor('tnt_two'), endpointFor('tnt_two'), endpointFor('tnt_two')] as const;
    const [later, deleted, young] = others;
    for (const other of others) await stores.endpoints.insert(other, 10);
    const pause = (one: Endpoint, at: number) =>
      stores.endpoints.update(one.tenantId, one.endpointId, (read) => change(read, { status: 'paused' }, at));
    await pause(later, T0 + 2);
    await pause(deleted, T0 + 1);
    await pause(young, T0 + 10);
    const first = await pause(endpoint, T0);
    await stores.endpoints.remove('tnt_two', deleted.endpointId);
    expect((await stores.maintenance.pausedBefore(T0 + 10, 10)).map(({ endpointId }) => endpointId)).toEqual([
      endpoint.endpointId,
      later.endpointId,
    ]);
    expect(await stores.maintenance.pausedBefore(T0 + 10, 1)).toEqual([first]);
    expect(await stores.maintenance.pausedBefore(T0, 10)).toEqual([]);
    await stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => change(one, { status: 'enabled' }, T0 + 20));
    expect((await stores.maintenance.pausedBefore(T0 + 10, 1)).map(({ endpointId }) => endpointId)).toEqual([later.endpointId]);
  });

  test('the number of a parcel outlives its events, until the parcel has long been silent', async () => {
    /** As the clean-up of the platform does. */
    const forgetBefore = (to: number) => under.documents.deleteRange(sequences.by.age, { eq: [], to, limit: 9 });
    /** Stores an event and lets it expire. @returns its number */
    const pass = async (forecastNo: string) => {
      const { leased } = await acceptOne(eventFor('tnt_one', forecastNo), planned({ leaseUntil: T0 + 1 }));
      await stores.queue.record([resultOf(leased as LeasedDelivery, 'succeeded')], keep);
      await all(() => stores.maintenance.expireDeliveries(T0 + 1, 1));
      await all(() => stores.maintenance.expireEvents(T0 + 1, 1));
      return (JSON.parse(leased?.body ?? '{}') as { seq: number }).seq;
    };
    expect([await pass('FC1'), await pass('FC1'), await pass('FC2')]).toEqual([1, 2, 1]);
    await forgetBefore(T0);
    expect([await pass('FC1'), await pass('FC2')]).toEqual([3, 2]);
    await forgetBefore(T0 + 1);
    expect([await pass('FC1'), await pass('FC2')]).toEqual([1, 1]);
  });
});
