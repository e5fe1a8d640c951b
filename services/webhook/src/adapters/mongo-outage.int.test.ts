import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parcelway/kernel/ids';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import type { LeasedDelivery } from '../intake/domain/delivery.ts';
import { acceptIn, EVERY_EVENT, endpointFor, eventFor, keep, planned, replayOf, resultOf, T0 } from '../testing/webhook-fixtures.ts';
import { webhookCollections } from './mongo-collections.ts';
import { openMongoStores } from './mongo-stores.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(webhookCollections);
});
afterAll(() => opened.close());

test('everything is refused with 50301 while the store is out', async () => {
  const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });
  const stores = openMongoStores(opened.database);
  await stores.endpoints.insert(endpoint, 10);
  const [made] = await acceptIn(stores.intake, eventFor('tnt_one', 'FC1'), T0, () => planned({ leaseUntil: T0 + 1000 }));
  const leased = made?.leased;
  const results = [resultOf(leased as LeasedDelivery, 'succeeded')];
  const database = await opened.second();
  const { endpoints: managed, intake, queue, log, redelivery, feed, maintenance } = openMongoStores(database);
  await database.close();
  const calls: Record<string, () => Promise<unknown>> = {
    insert: () => managed.insert(endpointFor('tnt_one'), 10),
    list: () => managed.list('tnt_one'),
    get: () => managed.get('tnt_one', 'ep_1'),
    present: () => managed.present([endpoint]),
    update: () => managed.update('tnt_one', 'ep_1', keep),
    remove: () => managed.remove('tnt_one', 'ep_1'),
    accept: () => acceptIn(intake, eventFor('tnt_one', 'FC1'), T0, () => null),
    dueEndpoints: () => queue.dueEndpoints({ after: '', now: T0, limit: 1 }),
    lease: () => queue.lease([{ endpointId: 'ep_1', count: 1 }], T0, T0 + 1),
    release: () => queue.release([leased as LeasedDelivery]),
    record: () => queue.record(results, keep),
    deliveries: () => log.list('tnt_one', 'ep_1', { limit: 1, before: null }),
    delivery: () => log.get('tnt_one', 'ep_1', 'dlv_1'),
    deliveryOfEvent: () => log.ofEvent('tnt_one', 'ep_1', 'evt_1'),
    attempts: () => log.attempts('tnt_one', 'ep_1', 'dlv_1', 1),
    resend: () => redelivery.resend('tnt_one', 'ep_1', 'dlv_1', T0),
    replay: () => redelivery.replay(endpoint, replayOf(), T0, () => newId('dlv')),
    holdDisabled: () => maintenance.holdDisabled(1),
    purgeDeleted: () => maintenance.purgeDeleted(1),
    body: () => log.body('tnt_one', 'evt_1'),
    feed: () => feed.page('tnt_one', { since: null }, EVERY_EVENT, 1),
    feedEnd: () => feed.end('tnt_one'),
    expireDeliveries: () => maintenance.expireDeliveries(T0, 1),
    expireEvents: () => maintenance.expireEvents(T0, 1),
    disablingsToPublish: () => maintenance.disablingsToPublish(1),
    pausedBefore: () => maintenance.pausedBefore(T0, 1),
    expireSequences: () => maintenance.expireSequences(T0, 1),
  };
  for (const [name, call] of Object.entries(calls)) {
    const outcome = await call().then(
      () => 'responded',
      (error: { code?: string }) => error.code,
    );
    expect([name, outcome]).toEqual([name, '50301']);
  }
});
