import { describe, expect, test } from '@jest/globals';
import { type AdminStatus, adminStatuses, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { adminStatusOf, carrierWords } from './carrier-status.ts';

/** What real sources send, by what it means. */
const spoken: Readonly<Record<AdminStatus, readonly string[]>> = {
  Pending: ['NotFound', 'NotFound_Other', 'NotFound_InvalidCode', 'Pending_001', 'unknown'],
  'Info Received': ['InfoReceived', 'InfoReceived_001', 'info_received', 'pre_transit', 'pre-transit', 'ORDER_CREATION'],
  'Picked Up': ['InTransit_PickedUp', 'PickedUp', 'picked_up', 'FIRST_MILE_ARRIVE', 'GTMS_ACCEPT'],
  'In Transit': [
    'InTransit',
    'InTransit_Other',
    'InTransit_Departure',
    'InTransit_TransportArrived',
    'InTransit_007',
    'in_transit',
    'IN_TRANSIT',
    'MAIN_LINE_ARRIVE',
    'transit',
    'Delivered to local carrier',
  ],
  'Customs Clearance': [
    'InTransit_CustomsProcessing',
    'InTransit_CustomsReleased',
    'InTransit_CustomsRequiringInformation',
    'Exception_004',
    'Exception_018',
    'CUSTOMS_RELEASE',
    'customs',
  ],
  'In Delivery': ['OutForDelivery', 'OutForDelivery_Other', 'OutForDelivery_001', 'out_for_delivery', 'out-for-delivery', 'GTMS_DO_DEPART'],
  'Available for Pickup': [
    'AvailableForPickup',
    'AvailableForPickup_Other',
    'AvailableForPickup_001',
    'available_for_pickup',
    'ready_for_pickup',
  ],
  'Delivery Attempted': [
    'AttemptFail',
    'AttemptFail_002',
    'ATTEMPT_FAILED',
    'Delivery attempt failed',
    'DeliveryFailure',
    'DeliveryFailure_Rejected',
    'DeliveryFailure_NoBody',
    'DELIVERY_FAILURE',
    'delivery_failed',
    'delivery  failed',
    'Not delivered',
  ],
  Exception: [
    'Exception_Other',
    'Exception_Delayed',
    'Exception_Security',
    'Exception_Damage',
    'Exception_001',
    'Expired',
    'Expired_Other',
    'failure',
    'FAILED',
    'error',
    'undeliverable',
    'lost',
    'cancelled',
    'on_hold',
    'delivery_delayed',
  ],
  Returning: [
    'RETURN_TO_ORIGIN',
    'return_to_sender',
    'Return to sender',
    'returned',
    'RETURNED',
    'returning',
    'Exception_Returning',
    'Exception_010',
    'Will be returned to sender',
    'refused',
  ],
  'Delivery Success': [
    'Delivered',
    'delivered',
    'Delivered_Other',
    'Delivered_001',
    'DELIVERY_SUCCESS',
    'Delivered and signed',
    'GTMS_SIGNED',
  ],
  'Delivery Failure': ['Delivery Failure', 'Exception_Lost', 'Exception_Destroyed', 'Exception_Cancel', 'Exception_013', 'Exception_021'],
  'Parcel Return to Origin': [
    'Exception_Returned',
    'Exception_011',
    'RETURNED_TO_SENDER',
    'returned to origin',
    'Delivered to sender',
    'ParcelReturnToOrigin',
  ],
};

describe('adminStatusOf', () => {
  test.each(adminStatuses.flatMap((admin) => spoken[admin].map((status) => [status, admin])))('takes %p for %p', (status, admin) => {
    expect(adminStatusOf(status)).toBe(admin);
  });

  test.each(adminStatuses)('knows %p by its own name', (status) => {
    expect(adminStatusOf(status)).toBe(status);
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
