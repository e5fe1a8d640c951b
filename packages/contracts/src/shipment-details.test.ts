import { describe, expect, test } from '@jest/globals';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { openShipmentDetails, sealShipmentDetails } from './shipment-details.ts';

const sealer = createTextSealer(['a-secret-of-the-installation-in-tests']);
const owner = { carrierCode: 'sf', trackingNumber: 'SF1' };
const details = {
  destination_country: 'DE',
  destination_postcode: '20095',
  phone_last4: '1234',
  ship_date: '2026-11-25',
  carrier_service: 'x',
};

describe('the details of a shipment', () => {
  test('open to what was reported, without the other fields of the report', () => {
    const sealed = sealShipmentDetails(sealer, owner, { ...details, event_id: 'e1' } as typeof details) as string;
    expect(openShipmentDetails(sealer, owner, sealed)).toEqual(details);
    expect(sealed).not.toContain('20095');
  });

  test('are the same text when they are reported again, in whatever order', () => {
    const again = Object.fromEntries(Object.entries(details).reverse());
    expect(sealShipmentDetails(sealer, owner, again)).toBe(sealShipmentDetails(sealer, owner, details));
  });

  test('are absent when none is known', () => {
    expect(sealShipmentDetails(sealer, owner, {})).toBeUndefined();
  });

  test('open for no other shipment', () => {
    const sealed = sealShipmentDetails(sealer, owner, { phone_last4: '1234' }) as string;
    expect(() => openShipmentDetails(sealer, { ...owner, trackingNumber: 'SF2' }, sealed)).toThrow('another place');
  });
});
