import { describe, expect, test } from '@jest/globals';
import { isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { adminStatusOf17Track, statusTable17Track } from './translation.ts';

/** Each `sub_status` of 17TRACK by its `admin_status`; `undefined` makes no node (trap 1 in sources/README.md). */
const column: readonly [adminStatus: string | undefined, ...subStatuses: string[]][] = [
  ['Pending', 'NotFound_Other', 'NotFound_InvalidCode'],
  ['Info Received', 'InfoReceived'],
  ['Picked Up', 'InTransit_PickedUp'],
  ['In Transit', 'InTransit_Other', 'InTransit_Departure', 'InTransit_Arrival', 'InTransit_TransportArrived'],
  ['Customs Clearance', 'InTransit_CustomsProcessing', 'InTransit_CustomsReleased', 'InTransit_CustomsRequiringInformation'],
  ['In Delivery', 'OutForDelivery_Other'],
  ['Available for Pickup', 'AvailableForPickup_Other'],
  [
    'Delivery Attempted',
    'DeliveryFailure_Other',
    'DeliveryFailure_NoBody',
    'DeliveryFailure_Security',
    'DeliveryFailure_Rejected',
    'DeliveryFailure_InvalidAddress',
  ],
  ['Exception', 'Exception_Other', 'Exception_NoBody', 'Exception_Security', 'Exception_Delayed', 'Exception_Rejected'],
  [undefined, 'Expired_Other'],
  ['Returning', 'Exception_Returning'],
  ['Delivery Success', 'Delivered_Other'],
  ['Delivery Failure', 'Exception_Lost', 'Exception_Destroyed', 'Exception_Damage', 'Exception_Cancel'],
  ['Parcel Return to Origin', 'Exception_Returned'],
];
const cells = column.flatMap(([adminStatus, ...codes]) => codes.map((code): [string, string | undefined] => [code, adminStatus]));

describe('the table of sub-statuses', () => {
  test.each(cells)('%s is %s', (code, adminStatus) => {
    expect(adminStatusOf17Track('', code)).toEqual({ adminStatus, isKnown: true });
    expect(statusTable17Track.get(code)).toBe(adminStatus ?? 'no node');
  });

  test('holds the 30 that 17TRACK documents, and one that is seen', () => {
    expect(cells).toHaveLength(30 + 1);
    const inTable = [...statusTable17Track.keys()].filter((code) => code.includes('_') || code === 'InfoReceived');
    expect(inTable.sort()).toEqual(cells.map(([code]) => code).sort());
  });
});

test.each([
  ['NotFound', 'Pending'],
  ['InfoReceived', 'Info Received'],
  ['InTransit', 'In Transit'],
  ['Expired', undefined],
  ['AvailableForPickup', 'Available for Pickup'],
  ['OutForDelivery', 'In Delivery'],
  ['DeliveryFailure', 'Delivery Attempted'],
  ['Delivered', 'Delivery Success'],
  ['Exception', 'Exception'],
  ['PickedUp', 'Picked Up'],
  ['Departure', 'In Transit'],
  ['Arrival', 'In Transit'],
  ['Returning', 'Returning'],
  ['Returned', 'Returning'],
])('without a sub-status, the main status or stage %s is %s', (code, adminStatus) => {
  expect(adminStatusOf17Track(code)).toEqual({ adminStatus, isKnown: true });
  expect(adminStatusOf17Track('', code)).toEqual({ adminStatus, isKnown: true });
});

test('a sub-status decides against the stage beside it', () => {
  expect(adminStatusOf17Track('Delivered', 'Exception_Returned').adminStatus).toBe('Parcel Return to Origin');
  expect(adminStatusOf17Track('Returned', 'InTransit_Other').adminStatus).toBe('In Transit');
});

test('a row without any code says nothing final', () => {
  expect(adminStatusOf17Track('')).toEqual({ adminStatus: 'In Transit', isKnown: true });
});

describe('an unknown code', () => {
  test.each([
    ['InTransit_Teleported', 'In Transit'],
    ['OutForDelivery_Drone', 'In Delivery'],
    ['DeliveryFailure_Weather', 'Delivery Attempted'],
    ['Exception_Returned_Twice', 'Exception'],
    ['Delivered_Neighbour', 'Delivery Success'],
    ['Expired_Soon', undefined],
    ['Future_Unknown', 'In Transit'],
    ['delivered_other', 'In Transit'],
    ['Returned_Other', 'In Transit'],
    ['constructor', 'In Transit'],
    ['__proto__', 'In Transit'],
    ['_', 'In Transit'],
  ])('%s falls back to its main status: %s', (code, adminStatus) => {
    expect(adminStatusOf17Track('', code)).toEqual({ adminStatus, isKnown: false });
  });

  test('whose own main status is unknown falls back to the stage beside it', () => {
    expect(adminStatusOf17Track('DeliveryFailure', 'Future_Unknown')).toEqual({ adminStatus: 'Delivery Attempted', isKnown: false });
  });

  test.each(['Returned_Other', 'Future_Unknown', 'constructor'])('%s is not final by the stage Delivered beside it', (code) => {
    expect(adminStatusOf17Track('Delivered', code)).toEqual({ adminStatus: 'In Transit', isKnown: false });
  });

  test('of another main status is not final by the stage Delivered beside it', () => {
    expect(adminStatusOf17Track('Delivered', 'Exception_New')).toEqual({ adminStatus: 'Exception', isKnown: false });
    expect(adminStatusOf17Track('Delivered', 'Delivered_New')).toEqual({ adminStatus: 'Delivery Success', isKnown: false });
  });

  test('is final only where its main status is Delivered', () => {
    for (const code of [...statusTable17Track.keys(), 'Future'].filter((one) => !one.startsWith('Delivered'))) {
      const { adminStatus = '' } = adminStatusOf17Track(code, `${code}_New`);
      expect([code, isTerminalAdminStatus(adminStatus)]).toEqual([code, false]);
    }
  });
});
