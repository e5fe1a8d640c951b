import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { dumpOf } from '@parcelway/mongo/testing/mongo-dump';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createCallLedgers } from '../../accounts/adapters/call-ledgers.ts';
import { createConnectionStore } from '../../accounts/adapters/connection-store.ts';
import { trackingCollections } from '../../watch/adapters/mongo-schema.ts';
import { openMongoStores } from '../../watch/adapters/mongo-stores.ts';
import { createMongoTenantData } from './mongo-tenant-data.ts';
import { describeTrackingTenantData, sealer } from './tenant-data.conformance.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(trackingCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeTrackingTenantData('MongoDB', async () => ({
  ...openMongoStores(opened.database, systemClock),
  connections: createConnectionStore(createMongoStore(opened.database)),
  ledgers: createCallLedgers(createMongoStore(opened.database)),
  keys: createIdempotencyStore(createMongoStore(opened.database)),
  data: createMongoTenantData(opened.database, sealer),
  dump: () => dumpOf(opened.database, trackingCollections),
  close: () => opened.clear(),
}));

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
