import { expect, test } from '@jest/globals';
import { openTestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { mongoCollection } from '@parcelway/store/mongo/mongo-store-schema';
import { storedConnectionOf } from '../../testing/samples.ts';
import { connectionCollections } from '../connection-collections.ts';
import { createCallLedgers } from './call-ledgers.ts';
import { createConnectionStore } from './connection-store.ts';

test('processes give an owner no more connections than it may have, and remove one while its ledger changes', async () => {
  const opened = await openTestDatabase(connectionCollections.map(mongoCollection));
  const stores = [opened.database, await opened.second(), await opened.second()].map((database) => createMongoStore(database));
  const connections = stores.map(createConnectionStore);
  const inserts = Array.from({ length: 12 }, (_, index) =>
    connections[index % 3]?.insert(storedConnectionOf({ connectionId: `con_${index}` }), 5),
  );
  expect((await Promise.all(inserts)).filter(Boolean)).toHaveLength(5);
  const [first] = (await connections[0]?.list('tnt_a')) ?? [];
  const id = first?.connectionId ?? '';
  const rises = stores.map((store) => createCallLedgers(store).change(id, (ledger) => ({ ...ledger, used: ledger.used + 1 })));
  const [isRemoved] = await Promise.all([connections[0]?.remove('tnt_a', id), ...rises]);
  expect([isRemoved, (await connections[1]?.list('tnt_a'))?.length]).toEqual([true, 4]);
  await opened.close();
});
