import { describe, expect, test } from '@jest/globals';
import { type AdminStatus, adminStatuses, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { adminStatusOf, carrierWords } from './carrier-status.ts';

/** Codes that real sources send, by what they mean; and phrases. */
const codes: Readonly<Record<AdminStatus, string>> = {
  Pending: 'NotFound NotFound_Other Pending_001 unknown',
  'Info Received': 'InfoReceived InfoReceived_001 pre_transit pre-transit ORDER_CREATION',
  'Picked Up': 'InTransit_PickedUp PickedUp picked_up FIRST_MILE_ARRIVE GTMS_ACCEPT',
  'In Transit': 'InTransit InTransit_Other InTransit_TransportArrived InTransit_007 in_transit IN_TRANSIT MAIN_LINE_ARRIVE transit',
  'Customs Clearance':
    'InTransit_CustomsProcessing InTransit_CustomsRequiringInformation Exception_004 Exception_018 CUSTOMS_RELEASE customs',
  'In Delivery': 'OutForDelivery OutForDelivery_Other OutForDelivery_001 out_for_delivery out-for-delivery GTMS_DO_DEPART',
  'Available for Pickup': 'AvailableForPickup AvailableForPickup_Other AvailableForPickup_001 available_for_pickup ready_for_pickup',
  'Delivery Attempted':
    'AttemptFail AttemptFail_002 ATTEMPT_FAILED DeliveryFailure DeliveryFailure_Rejected DELIVERY_FAILURE delivery_failed',
  Exception: 'Exception_Other Exception_Damage Exception_001 Expired Expired_Other failure FAILED undeliverable lost cancelled on_hold',
  Returning: 'RETURN_TO_ORIGIN return_to_sender returned RETURNED returning Exception_Returning Exception_010 refused',
  'Delivery Success': 'Delivered delivered Delivered_Other Delivered_001 DELIVERY_SUCCESS GTMS_SIGNED',
  'Delivery Failure': 'Exception_Lost Exception_Destroyed Exception_Cancel Exception_013 Exception_021',
  'Parcel Return to Origin': 'Exception_Returned Exception_011 RETURNED_TO_SENDER ParcelReturnToOrigin',
};
const phrases: readonly (readonly [string, AdminStatus])[] = [
  ['Delivered to local carrier', 'In Transit'],
  ['Delivery attempt failed', 'Delivery Attempted'],
  ['delivery  failed', 'Delivery Attempted'],
  ['Not delivered', 'Delivery Attempted'],
  ['Return to sender', 'Returning'],
  ['Will be returned to sender', 'Returning'],
  ['Delivered and signed', 'Delivery Success'],
  ['Delivered to sender', 'Parcel Return to Origin'],
];
const spoken = [...phrases, ...adminStatuses.flatMap((admin) => codes[admin].split(' ').map((code) => [code, admin] as const))];

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
