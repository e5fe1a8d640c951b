import { describe, expect, test } from '@jest/globals';
import { type AdminStatus, adminStatuses, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { adminStatusOf, carrierWords } from './carrier-status.ts';

/** Words and codes as sources write them. Another test covers the words of the table. */
const spoken: readonly (readonly [string, AdminStatus])[] = [
  ['Pending_001', 'Pending'],
  ['InfoReceived_001', 'Info Received'],
  ['pre-transit', 'Info Received'],
  ['InTransit_PickedUp', 'Picked Up'],
  ['FIRST_MILE_ARRIVE', 'Picked Up'],
  ['InTransit_007', 'In Transit'],
  ['InTransit_CustomsProcessing', 'Customs Clearance'],
  ['out-for-delivery', 'In Delivery'],
  ['OutForDelivery_001', 'In Delivery'],
  ['DeliveryFailure', 'Delivery Attempted'],
  ['DeliveryFailure_Rejected', 'Delivery Attempted'],
  ['Exception_Damage', 'Exception'],
  ['Exception_Lost', 'Delivery Failure'],
  ['Delivered_001', 'Delivery Success'],
  ['Exception_Returned', 'Parcel Return to Origin'],
  ['Delivered to local carrier', 'In Transit'],
  ['Delivery attempt failed', 'Delivery Attempted'],
  ['delivery  failed', 'Delivery Attempted'],
  ['Not delivered', 'Delivery Attempted'],
  ['Return to sender', 'Returning'],
  ['Will be returned to sender', 'Returning'],
  ['Delivered and signed', 'Delivery Success'],
  ['Delivered to sender', 'Parcel Return to Origin'],
];

describe('adminStatusOf', () => {
  test.each(spoken)('takes %p for %p', (status, admin) => {
    expect(adminStatusOf(status)).toBe(admin);
  });

  test.each(adminStatuses.filter((status) => status !== 'Delivery Failure'))('knows %p in any writing', (status) => {
    expect(adminStatusOf(status.toUpperCase().replaceAll(' ', '_'))).toBe(status);
    const camelCase = status.replace(/ (.)/g, (_, letter: string) => letter.toUpperCase());
    expect(adminStatusOf(camelCase)).toBe(status);
  });

  test('knows every word of the table, each with one meaning', () => {
    for (const status of adminStatuses)
      for (const word of carrierWords[status]) expect([word, adminStatusOf(word)]).toEqual([word, status]);
  });

  test.each(['failure', 'failed', 'delivery failed', 'returned', 'lost', 'undeliverable', 'cancelled', 'DeliveryFailure', 'Expired'])(
    'does not end the tracking by the word %p',
    (status) => {
      expect(isTerminalAdminStatus(adminStatusOf(status) ?? '')).toBe(false);
    },
  );

  test.each(['', 'teleported', 'constructor', '__proto__', 'deliveredx', 'Delivered_Maybe', 'Delivered to the neighbour of the depot'])(
    'does not know %p',
    (status) => {
      expect(adminStatusOf(status)).toBeUndefined();
    },
  );
});
