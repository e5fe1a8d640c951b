import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { TcpLink } from '@parcelway/harness/tcp-link';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { storesOf, waitingChanges } from '../../testing/mongo-replicas.ts';
import { acceptedForecast, dispatchOf, NOW, node, shipmentOf, TENANT } from '../../testing/samples.ts';
import { type TestStore, testStore } from '../../testing/tracking-store-driver.ts';
import type { Shipment } from '../domain/shipment.ts';
import { parcels, trackingCollections } from './mongo-schema.ts';

let opened: TestDatabase;
let link: TcpLink;
let database: MongoDatabase;
let store: TestStore;
let direct: TestStore;

beforeAll(async () => {
  opened = await openTestDatabase(trackingCollections);
  const { hostname: host, port } = new URL(process.env['MONGODB_URL'] as string);
  link = await TcpLink.open(() => ({ host, port: Number(port) }));
  const { name } = opened.database.connection;
  database = new MongoDatabase({ url: `mongodb://127.0.0.1:${link.port}/?directConnection=true`, name, logger: silentLogger });
  await database.connect();
  store = testStore(storesOf(database).store);
  direct = testStore(storesOf(opened.database).store);
});
afterEach(() => opened.clear());
afterAll(async () => {
  await database.close();
  await link.close();
  await opened.close();
});

/** Waits until the driver has found the way again. */
async function healed(heal: () => void): Promise<void> {
  heal();
  await until(
    () =>
      store.check().then(
        () => true,
        () => false,
      ),
    { what: 'the store' },
  );
}

const shipment = shipmentOf();
const operations: [string, () => Promise<unknown>][] = [
  ['accept', () => store.accept(acceptedForecast())],
  ['cancel', () => store.cancel(shipment, NOW)],
  ['dispatch', () => store.dispatch(dispatchOf())],
  ['findByPoNumber', () => store.findByPoNumber(TENANT, 'PO-1')],
  ['findShipment', () => store.findShipment(TENANT, 'FC1')],
  ['history', () => store.history(shipment)],
  ['record', () => store.record(shipment, [node(1)], NOW)],
  ['lease', () => store.lease(NOW, NOW + 1000, 10)],
  ['reschedule', () => store.reschedule(shipment, NOW, 0)],
  ['simulatedNodes', () => store.simulatedNodes(shipment)],
  ['simulate', () => store.simulate(shipment, { adminStatus: 'In Transit' }, NOW)],
  ['purge', () => store.purge(NOW, 10)],
  ['check', () => store.check()],
];

test('every operation fails with 50301 while the store is out', async () => {
  const heal = link.cut();
  const outcomes = await Promise.all(
    operations.map(([name, run]) =>
      run().then(
        () => [name, 'succeeded'],
        (error: { code?: string }) => [name, error.code],
      ),
    ),
  );
  await healed(heal);
  expect(outcomes).toEqual(operations.map(([name]) => [name, '50301']));
});

test('a record whose acknowledgement is lost is found by the next one, and published once', async () => {
  await direct.dispatch(dispatchOf());
  const asked = (await direct.findShipment(TENANT, 'FC1')) as Shipment;
  const heal = link.loseResponses('update\0');
  await expect(store.record(asked, [node(1)], NOW)).rejects.toMatchObject({ code: '50301' });
  await until(async () => (await direct.history(asked)).length === 1, { what: 'the write that nobody acknowledged' });
  await healed(heal);
  expect(await store.record(asked, [node(1)], NOW)).toEqual({
    change: undefined,
    latestStatus: 'In Transit',
    isChanged: false,
  });
  expect(await waitingChanges(opened.database)).toEqual([['', 'In Transit']]);
});

test('a lease whose acknowledgement is lost ends in time', async () => {
  await direct.dispatch(dispatchOf());
  // One that fails before its write, on a connection that an earlier test has cut, is not what is meant: it comes again.
  const isTaken = async (): Promise<boolean> =>
    (await opened.database.model(parcels).countDocuments({ 'shipment.lease_until': NOW + 1000 })) === 1;
  await until(
    async () => {
      const heal = link.loseResponses('update\0');
      await expect(store.lease(NOW, NOW + 1000, 10)).rejects.toMatchObject({ code: '50301' });
      await healed(heal);
      return isTaken();
    },
    { what: 'a lease that nobody acknowledged' },
  );
  expect(await store.lease(NOW + 999, NOW + 999 + 1000, 10)).toEqual([]);
  expect(await store.lease(NOW + 1000, NOW + 1000 + 1000, 10)).toHaveLength(1);
});
