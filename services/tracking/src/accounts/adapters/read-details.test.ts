import { expect, test } from '@jest/globals';
import { sealShipmentDetails } from '@parcelway/contracts/shipment-details';
import { silentLogger } from '@parcelway/kernel/logger';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { shipmentOf } from '../../testing/samples.ts';
import { createDetailsReader } from './read-details.ts';

const sealer = createTextSealer(['a-secret-of-the-installation-in-tests']);

test('details are opened for their shipment alone; any other is asked for without them, and the log has none of them', () => {
  const logged: unknown[] = [];
  const read = createDetailsReader(sealer, { ...silentLogger, warn: (...line: unknown[]) => void logged.push(line) });
  const shipment = shipmentOf();
  const sealedDetails = sealShipmentDetails(sealer, shipment, { destination_postcode: '20095' }) ?? null;
  expect(read(shipment)).toEqual({});
  expect(read({ ...shipment, sealedDetails })).toEqual({ destination_postcode: '20095' });
  expect(logged).toEqual([]);
  expect(read({ ...shipment, trackingNumber: 'SIM2', sealedDetails })).toEqual({});
  expect(logged).toHaveLength(1);
  expect(String(logged)).not.toContain('20095');
});
