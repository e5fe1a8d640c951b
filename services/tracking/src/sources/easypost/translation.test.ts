import { describe, expect, test } from '@jest/globals';
import { isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { adminStatusOfEasyPost, easyPostDetails, easyPostStatuses } from './translation.ts';

/** Status and detail of EasyPost, each with its `admin_status`. */
const tableCells: readonly (readonly [string, string, string])[] = [
  ['unknown', '', 'Pending'],
  ['pre_transit', '', 'Info Received'],
  ['in_transit', 'received_at_origin_facility', 'Picked Up'],
  ['in_transit', '', 'In Transit'],
  ['out_for_delivery', '', 'In Delivery'],
  ['available_for_pickup', '', 'Available for Pickup'],
  ['in_transit', 'delivery_exception', 'Delivery Attempted'],
  ['failure', '', 'Exception'],
  ['error', '', 'Exception'],
  ['return_to_sender', '', 'Returning'],
  ['delivered', '', 'Delivery Success'],
  ['cancelled', '', 'Delivery Failure'],
  ['in_transit', 'lost', 'Delivery Failure'],
  ['failure', 'lost', 'Delivery Failure'],
  ['error', 'lost', 'Delivery Failure'],
  ['delivered', 'lost', 'Delivery Failure'],
];

/** What is our judgement. */
const judged: readonly (readonly [string, string, string])[] = [
  ['in_transit', 'damaged', 'Exception'],
  ['in_transit', 'delayed', 'Exception'],
  ['in_transit', 'failure', 'Exception'],
  ['in_transit', 'refused', 'Exception'],
  ['in_transit', 'transit_exception', 'Exception'],
  ['in_transit', 'weather_delay', 'Exception'],
  ['in_transit', 'return', 'Returning'],
  ['failure', 'return', 'Returning'],
  ['error', 'return', 'Returning'],
  ['return_to_sender', 'arrived_at_destination', 'Parcel Return to Origin'],
  ['delivered', 'return', 'Parcel Return to Origin'],
  ['delivered', 'transferred_to_destination_carrier', 'In Transit'],
];

test.each([...tableCells, ...judged])('%s %s is %s', (code, detail, adminStatus) => {
  expect(adminStatusOfEasyPost(code, detail)).toEqual({ adminStatus, isKnown: true });
});

test('the table has the 10 statuses and the 28 details that EasyPost documents', () => {
  expect([...easyPostStatuses.keys()].sort()).toEqual([...new Set(tableCells.map(([code]) => code))].sort());
  expect(easyPostDetails.size).toBe(28);
  for (const { details } of easyPostStatuses.values()) for (const detail of details.keys()) expect(easyPostDetails).toContain(detail);
});

test('every other known detail counts as its status', () => {
  const named = new Set([...tableCells, ...judged].map(([code, detail]) => `${code} ${detail}`));
  for (const [code, { adminStatus }] of easyPostStatuses)
    for (const detail of easyPostDetails)
      if (!named.has(`${code} ${detail}`) && detail !== 'lost')
        expect(adminStatusOfEasyPost(code, detail)).toEqual({ adminStatus, isKnown: true });
});

test('the detail of a loss decides over every status', () => {
  for (const code of easyPostStatuses.keys())
    expect(adminStatusOfEasyPost(code, 'lost')).toEqual({ adminStatus: 'Delivery Failure', isKnown: true });
});

describe('codes without a place in the table', () => {
  test.each([...easyPostStatuses.keys()])('an unknown detail of %s counts as its status, and is final for a delivery alone', (code) => {
    const { adminStatus, isKnown } = adminStatusOfEasyPost(code, 'beamed_up');
    expect(isKnown).toBe(false);
    expect(isTerminalAdminStatus(adminStatus)).toBe(code === 'delivered');
    expect(adminStatus).toBe(code === 'cancelled' ? 'Exception' : easyPostStatuses.get(code)?.adminStatus);
  });

  test.each(['', 'Delivered', 'canceled', 'constructor', '__proto__', 'toString', 'failure/lost'])(
    'an unknown status %p is In Transit',
    (code) => {
      expect(adminStatusOfEasyPost(code)).toEqual({ adminStatus: 'In Transit', isKnown: false });
      expect(adminStatusOfEasyPost(code, 'lost')).toEqual({ adminStatus: 'In Transit', isKnown: false });
    },
  );

  test.each(['constructor', '__proto__', 'hasOwnProperty'])('a detail %p is none', (detail) => {
    expect(adminStatusOfEasyPost('failure', detail)).toEqual({ adminStatus: 'Exception', isKnown: false });
  });
});
