import { expect, test } from '@jest/globals';
import { sealShipmentDetails } from '@parcelway/contracts/shipment-details';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { allRecords, describeTenantData } from '@parcelway/kernel/testing/tenant-data-suite';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createCallLedgers } from '../../accounts/call-ledgers.ts';
import { connections } from '../../accounts/connection-collections.ts';
import { EMPTY_LEDGER } from '../../accounts/domain/call-ledger.ts';
import { dispatchOf, NOW, node } from '../../testing/samples.ts';
import { openTrackingStore, type TrackingStoreDriver, testStore } from '../../testing/tracking-store-driver.ts';
import { createTenantData } from './tenant-data.ts';

/** Opens the details of shipments. */
const sealer = createTextSealer(['a secret of the tests that is long enough']);

/** Writes a forecast with two parcels, a connection and an idempotency key. */
async function fill({ store, documents }: TrackingStoreDriver, tenantId: string, mark: string): Promise<void> {
  const [ledgers, keys] = [createCallLedgers(documents), createIdempotencyStore(documents)];
  const parcels = testStore(store);
  const trackingNumber = `SIM${mark}`;
  const sealedDetails = sealShipmentDetails(sealer, { carrierCode: 'sim', trackingNumber }, { destination_postcode: '12345' }) as string;
  const dispatch = { tenantId, forecastNo: `F2${mark}`, poNumber: mark };
  await parcels.dispatch(dispatchOf({ ...dispatch, trackingNumber, sealedDetails }));
  await parcels.dispatch(dispatchOf({ ...dispatch, trackingNumber: `${trackingNumber}2`, sequence: '2026-11-22T08:00:00.000Z/evt_2' }));
  const shipment = await parcels.findShipment(tenantId, `F2${mark}`, trackingNumber);
  if (shipment === undefined) throw new Error('The shipment is not there');
  await parcels.respond(shipment, [node(1, 'Picked Up', { content: mark })], NOW);
  await parcels.simulate(shipment, { adminStatus: 'In Transit', content: mark }, NOW);
  const connectionId = `con_${mark}`;
  const times = { createdAt: NOW, updatedAt: NOW };
  const account = { source: '17track', baseUrl: null, carriers: ['*'], sealedCredentials: 'SECRET', slot: 0, ...times };
  await documents.apply([{ in: connections, insert: { connectionId, owner: tenantId, ...account } }]);
  await ledgers.change(connectionId, () => ({ ...EMPTY_LEDGER, used: 1 }));
  const scope = { ownerId: tenantId, route: 'createConnection', key: `key ${mark}` };
  await keys.add({ ...scope, fingerprint: 'f', seed: 's', claim: 'c', claimedUntil: 0, createdAt: 1, response: null });
}

function open() {
  const opened = openTrackingStore();
  const { db, documents, tenantData } = opened;
  return {
    ...opened,
    data: createTenantData(documents, sealer, tenantData),
    fill: (tenantId: string, mark: string) => fill(opened, tenantId, mark),
    dump: async () => dumpOf(db),
    close: async () => opened.close(),
  };
}

describeTenantData('tracking', ['connections', 'forecasts', 'shipments', 'simulated_parcels', 'idempotency_keys'], async () => open());

test('shipments are listed with their history and their details', async () => {
  const stores = open();
  await stores.fill('tnt_a', 'ALPHA');
  const kind = stores.data.kinds.find((one) => one.name === 'shipments');
  const records = kind === undefined ? [] : (await allRecords(kind, 'tnt_a')).map(({ record }) => record);
  expect(records).toHaveLength(2);
  expect(records).toContainEqual(expect.objectContaining({ tracking_number: 'SIMALPHA', details: { destination_postcode: '12345' } }));
  expect(JSON.stringify(records)).toContain('Picked Up');
  await stores.close();
});
