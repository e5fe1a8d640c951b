import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { emptyOutbox, storesOf, waitingValues } from '../../testing/mongo-replicas.ts';
import { trackingCollections } from './mongo-schema.ts';
import { describeTrackingStore } from './tracking-store.conformance.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(trackingCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeTrackingStore('MongoDB', async () => {
  const { store, outbox } = storesOf(opened.database);
  return {
    store,
    published: () => waitingValues(opened.database),
    emptyOutbox: () => emptyOutbox(outbox),
    close: () => opened.clear(),
  };
});

test('every operation names the shard key, but for those over all tenants', async () => {
  expect(await broadcastsOf(opened.database, trackingCollections)).toEqual([
    'aggregate parcels by shipment.next_poll_at',
    'deleteMany simulated_parcels by _id, last_change_at',
    'find parcels by _id',
    'find parcels by _id, shipment.lease_by, shipment.lease_until',
    'find parcels by shipment.lease_until, shipment.next_poll_at',
    'find parcels by shipment.next_poll_at, shipment.tracking_number',
    'find simulated_parcels by last_change_at',
    'updateMany parcels by _id',
    'updateMany parcels by _id, shipment.lease_until, shipment.next_poll_at',
    'updateMany parcels by _id, shipment.tracking_number',
  ]);
});
