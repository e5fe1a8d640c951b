import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dumpOf } from '@parcelway/mongo/testing/mongo-dump';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { webhookCollections } from '../../adapters/mongo-collections.ts';
import { openMongoStores } from '../../adapters/mongo-stores.ts';
import { collectionOf } from '../../endpoints/adapters/mongo-access.ts';
import { sequences } from '../../intake/adapters/mongo-event-documents.ts';
import { describeWebhookTenantData } from './tenant-data.conformance.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase(webhookCollections);
  await startProfile(opened.database);
});
afterAll(() => opened.close());

describeWebhookTenantData(
  'MongoDB',
  ['endpoints', 'deliveries', 'events', 'sequences', 'idempotency_keys', 'usage', 'delivery_figures'],
  async () => {
    const stores = openMongoStores(opened.database);
    // Written when events expire.
    const kept = ['tnt_a', 'tnt_ab'].map((tenantId) => ({ _id: `${tenantId} FC1`, last: 1, updated_at: 1 }));
    await collectionOf(opened.database, sequences).insertMany(kept);
    return { stores, dump: () => dumpOf(opened.database, webhookCollections), close: () => opened.clear() };
  },
);

test('none of the operations above goes through a whole collection', async () => {
  expect(await collectionScansOf(opened.database)).toEqual([]);
});
