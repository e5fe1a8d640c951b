import { expect, test } from '@jest/globals';
import { archivedObjects } from '@parcelway/blobs/archive/archive';
import { openDirectoryArchive } from '@parcelway/blobs/archive/directory-archive';
import { ManualClock } from '@parcelway/kernel/clock';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { NOW } from '../../testing/samples.ts';
import { openTrackingStore, shipParcel, testStore } from '../../testing/tracking-store-driver.ts';
import { createShipmentArchive } from './archive-shipments.ts';

const directory = useDirectory();

test('shipments are archived by their tenant, but not those of one that is erased', async () => {
  const clock = new ManualClock(NOW);
  const { store, close } = openTrackingStore();
  const shipment = await shipParcel(testStore(store));
  const archive = openDirectoryArchive(directory.path);
  const write = createShipmentArchive(archive, store, clock, (tenantId) => tenantId === 'tnt_gone');
  await write('tnt_gone', [shipment]);
  await write('tnt_1', [shipment]);
  const tenants: string[] = [];
  for await (const { tenantId, kind } of archivedObjects(archive, {})) tenants.push(`${tenantId} ${kind}`);
  expect(tenants).toEqual(['tnt_1 shipments']);
  close();
});
