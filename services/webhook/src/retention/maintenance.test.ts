import { beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { MAX_PAUSE_MS } from '../endpoints/domain/disabling.ts';
import { change, type Endpoint } from '../endpoints/domain/endpoint.ts';
import { endpoints } from '../endpoints/endpoints-collection.ts';
import { deliveries, keyOfDelivery } from '../intake/deliveries-collection.ts';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { sequences } from '../intake/event-collections.ts';
import type { WebhookStores } from '../stores.ts';
import { useStores } from '../testing/stores-under-test.ts';
import { acceptIn, endpointFor, eventFor, keep, planned, resultOf, T0 } from '../testing/webhook-fixtures.ts';
import {
  createEventExpiry,
  createMaintenance,
  expireDeliveries,
  holdDisabled,
  type MaintenanceOptions,
  purgeDeleted,
} from './maintenance.ts';

const under = useStores();

describe('maintenance', () => {
  const { accept, acceptOne, leaseAll } = under;
  let stores: WebhookStores;
  let endpoint: Endpoint;
  let expireEvents: ReturnType<typeof createEventExpiry>;
  beforeEach(() => {
    ({ stores, endpoint } = under);
    expireEvents = createEventExpiry(under.documents);
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
    expect(await all(() => holdDisabled(under.documents, 2))).toBe(3);
    expect((await list()).deliveries.map(({ status, nextAttemptAt }) => [status, nextAttemptAt])).toEqual(Array(5).fill(['held', null]));
    const page = await stores.log.list('tnt_one', other.endpointId, { status: 'pending', limit: 100, before: null });
    expect(page.deliveries).toHaveLength(5);
  });

  test('deletes what belonged to a deleted endpoint', async () => {
    const { delivery } = await acceptOne(eventFor('tnt_one', 'FC1'), planned({ leaseUntil: T0 + 1 }));
    for (let count = 0; count < 4; count += 1) await acceptOne();
    const [leased] = await leaseAll(T0 + 1, T0 + 2, 1);
    await stores.queue.record([resultOf(leased as LeasedDelivery, 'succeeded')], keep);
    await stores.endpoints.remove('tnt_one', endpoint.endpointId);
    expect(await leaseAll(T0 + 99, T0 + 100)).toEqual([]);
    await all(() => purgeDeleted(under.documents, 2));
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
    expect(await purgeDeleted(under.documents, 2)).toBe(true);
    await changed;
    await all(() => purgeDeleted(under.documents, 2));
    expect(await under.documents.read(deliveries, [keyOfDelivery(delivery)])).toEqual([]);
  });

  test('events go only when they are old and have no delivery left', async () => {
    const bare = eventFor('tnt_one', 'FC1');
    const used = eventFor('tnt_one', 'FC1');
    await accept(bare, () => null);
    await accept(used, () => planned({ status: 'held', nextAttemptAt: null }));
    const bodies = () => Promise.all([bare, used].map(({ eventId }) => stores.log.body('tnt_one', eventId)));
    await all(() => expireEvents(T0, 10));
    expect(await bodies()).toEqual(['{"seq":1}', '{"seq":2}']);
    await all(() => expireEvents(T0 + 1, 10));
    expect(await bodies()).toEqual([undefined, '{"seq":2}']);
    expect(await all(() => expireDeliveries(under.documents, T0 + 1, 1))).toBe(2);
    expect(await bodies()).toEqual([undefined, '{"seq":2}']);
    await all(() => expireEvents(T0 + 1, 10));
    expect(await bodies()).toEqual([undefined, undefined]);
  });

  test('the number of a parcel outlives its events, until the parcel has long been silent', async () => {
    /** As the clean-up of the platform does. */
    const forgetBefore = (to: number) => under.documents.deleteRange(sequences.by.age, { eq: [], to, limit: 9 });
    /** Stores an event and lets it expire. @returns its number */
    const pass = async (forecastNo: string) => {
      const { leased } = await acceptOne(eventFor('tnt_one', forecastNo), planned({ leaseUntil: T0 + 1 }));
      await stores.queue.record([resultOf(leased as LeasedDelivery, 'succeeded')], keep);
      await all(() => expireDeliveries(under.documents, T0 + 1, 1));
      await all(() => expireEvents(T0 + 1, 1));
      return (JSON.parse(leased?.body ?? '{}') as { seq: number }).seq;
    };
    expect([await pass('FC1'), await pass('FC1'), await pass('FC2')]).toEqual([1, 2, 1]);
    await forgetBefore(T0);
    expect([await pass('FC1'), await pass('FC2')]).toEqual([3, 2]);
    await forgetBefore(T0 + 1);
    expect((await under.documents.find(sequences.by.age, { eq: [], limit: 9 })).items).toEqual([]);
  });
});

describe('a round of the maintenance', () => {
  const NOW = T0 + MAX_PAUSE_MS;
  const paused = (endpointId: string, pausedAt = T0) => endpointFor('tnt_one', { endpointId, status: 'paused', pausedAt });
  const disabled = (endpointId: string, given: Partial<Endpoint> = {}) =>
    endpointFor('tnt_one', { endpointId, status: 'disabled', disabledReason: 'gone', disablingToPublish: T0, ...given });
  const change = (endpointId: string, given: Partial<Endpoint>) =>
    under.stores.endpoints.update('tnt_one', endpointId, (one) => ({ ...one, ...given }));

  /** Stores endpoints, deletes `ep_deleted` and takes a round. @param meanwhile done once, before an endpoint is changed @returns what was done */
  async function round(all: readonly Endpoint[], meanwhile?: () => Promise<unknown>): Promise<readonly string[]> {
    let once = meanwhile;
    const { endpoints: store } = under.stores;
    for (const one of all) await store.insert(one, 10);
    await store.remove('tnt_one', 'ep_deleted');
    const done: string[] = [];
    const update: MaintenanceOptions['endpoints']['update'] = async (...given) => {
      await once?.();
      once = undefined;
      return store.update(...given);
    };
    const loop = createMaintenance({
      store: under.documents,
      clock: new ManualClock(NOW),
      logger: silentLogger,
      retentionMs: 0,
      eventRetentionMs: 0,
      endpoints: { update },
      acceptance: {
        publishDisabled: async ({ endpointId, disablingToPublish }) => void done.push(`published ${endpointId} ${disablingToPublish}`),
      },
      runner: { endpointChanged: ({ endpointId, status }) => void done.push(`${status} ${endpointId}`) },
    });
    loop.start();
    const left = async () => (await under.documents.find(endpoints.by.unpublished, { eq: [], limit: 1 })).items;
    await until(async () => done.length > 0 && (await left()).length === 0, { what: 'the round' });
    await loop.stop();
    return done;
  }

  test('ends pauses that have lasted too long and publishes disablings, but for endpoints that are deleted', async () => {
    const own = disabled('ep_own', { disabledReason: 'tenant', disablingToPublish: null });
    const all = [disabled('ep_gone'), disabled('ep_deleted'), own, paused('ep_long', T0 - 1), paused('ep_young', T0 + 1)];
    expect(await round(all)).toEqual(['disabled ep_long', `published ep_gone ${T0}`, `published ep_long ${NOW}`]);
    const ended = { status: 'disabled', disabledReason: 'pause_expired', disablingToPublish: null };
    expect(await under.stores.endpoints.get('tnt_one', 'ep_long')).toMatchObject(ended);
  });

  test('publishes a later disabling, too', async () => {
    const later = () => change('ep_gone', { disablingToPublish: T0 + 5 });
    expect(await round([disabled('ep_gone')], later)).toEqual([`published ep_gone ${T0}`, `published ep_gone ${T0 + 5}`]);
  });

  test('keeps a pause that has restarted since it was found', async () => {
    expect(await round([paused('ep_long', T0 - 1)], () => change('ep_long', { pausedAt: NOW }))).toEqual(['paused ep_long']);
  });

  test('deletes settled deliveries and events each after a time of their own, and keeps what is pending', async () => {
    const all = [0, 1500, 2500, 0].map((ms) => eventFor('tnt_one', 'FC1', { occurredAt: T0 + ms }));
    const held = planned({ status: 'held', nextAttemptAt: null });
    for (const [place, event] of all.entries()) {
      await acceptIn(under.stores.intake, event, event.occurredAt, () => (place < 3 ? { ...held, deliveryId: `dlv_${place}` } : planned()));
    }
    const { log } = under.stores;
    const left = () =>
      Promise.all(
        all.map(async ({ eventId }) => [
          (await log.ofEvent('tnt_one', under.endpoint.endpointId, eventId)) !== undefined,
          (await log.body('tnt_one', eventId)) !== undefined,
        ]),
      );
    const loop = createMaintenance({
      store: under.documents,
      clock: new ManualClock(T0 + 3000),
      logger: silentLogger,
      retentionMs: 1000,
      eventRetentionMs: 2000,
      endpoints: under.stores.endpoints,
      acceptance: { publishDisabled: async () => undefined },
      runner: { endpointChanged: () => undefined },
    });
    loop.start();
    await until(async () => (await left())[0]?.includes(true) === false, { what: 'the round' });
    await loop.stop();
    expect(await left()).toEqual([
      [false, false],
      [false, true],
      [true, true],
      [true, true],
    ]);
  });
});
