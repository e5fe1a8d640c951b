import { describe, expect, test } from '@jest/globals';
import { type AdminStatus, isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { adminStatusOfAfterShip, afterShipSubtags, afterShipTags } from './translation.ts';

/** Numbers of subtags, such as `1-3 9`. */
function subtags(tag: string, numbers: string): string[] {
  return numbers.split(' ').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => `${tag}_${String(first + index).padStart(3, '0')}`);
  });
}

/** The subtags of AfterShip by `admin_status`. */
const cells: readonly (readonly [AdminStatus, readonly string[]])[] = [
  ['Pending', subtags('Pending', '1-6')],
  ['Info Received', subtags('InfoReceived', '1')],
  ['Picked Up', subtags('InTransit', '2')],
  ['In Transit', subtags('InTransit', '1 3-4 7-9 11-13')],
  ['Customs Clearance', [...subtags('Exception', '4 18'), ...subtags('InTransit', '5-6')]],
  ['In Delivery', subtags('OutForDelivery', '1 3-4')],
  ['Available for Pickup', [...subtags('AvailableForPickup', '1'), ...subtags('OutForDelivery', '2')]],
  ['Delivery Attempted', subtags('AttemptFail', '1-3')],
  ['Exception', [...subtags('Exception', '1-3 5-9 12 16-17 19'), ...subtags('Expired', '1')]],
  ['Returning', subtags('Exception', '10')],
  ['Delivery Success', subtags('Delivered', '1-5')],
  ['Delivery Failure', subtags('Exception', '13 20-21')],
  ['Parcel Return to Origin', subtags('Exception', '11')],
];

const rows = cells.flatMap(([adminStatus, codes]) => codes.map((code): [string, AdminStatus] => [code, adminStatus]));

describe('the status table', () => {
  test.each(rows)('%s is %s', (subtag, adminStatus) => {
    expect(adminStatusOfAfterShip(subtag.split('_')[0] ?? '', subtag)).toEqual({ adminStatus, isKnown: true });
  });

  test('holds nothing else', () => {
    expect([...afterShipSubtags.keys()].sort()).toEqual(rows.map(([subtag]) => subtag).sort());
  });

  test.each([
    ['Pending', 'Pending'],
    ['InfoReceived', 'Info Received'],
    ['InTransit', 'In Transit'],
    ['OutForDelivery', 'In Delivery'],
    ['AttemptFail', 'Delivery Attempted'],
    ['Delivered', 'Delivery Success'],
    ['AvailableForPickup', 'Available for Pickup'],
    ['Exception', 'Exception'],
    ['Expired', 'Exception'],
  ] as const)('tag %s alone is %s', (tag, adminStatus) => {
    expect(adminStatusOfAfterShip(tag)).toEqual({ adminStatus, isKnown: true });
    expect(afterShipTags.get(tag)).toBe(adminStatus);
  });

  test('is final by a code that says so alone', () => {
    const ends = [...afterShipSubtags].filter(([, adminStatus]) => isTerminalAdminStatus(adminStatus)).map(([subtag]) => subtag);
    expect(ends.sort()).toEqual([...subtags('Delivered', '1-5'), ...subtags('Exception', '11 13 20-21')].sort());
    expect([...afterShipTags].filter(([, adminStatus]) => isTerminalAdminStatus(adminStatus)).map(([tag]) => tag)).toEqual(['Delivered']);
  });

  test('takes the ten subtags that are new in 2026-07', () => {
    for (const subtag of [...subtags('Delivered', '5'), ...subtags('Exception', '16-21'), ...subtags('InTransit', '11-13')])
      expect(afterShipSubtags.has(subtag)).toBe(true);
  });
});

describe('codes beside the table', () => {
  test.each([...afterShipTags])('an unknown subtag of %s is %s and unknown', (tag, adminStatus) => {
    expect(adminStatusOfAfterShip(tag, `${tag}_099`)).toEqual({ adminStatus, isKnown: false });
    expect(adminStatusOfAfterShip('', `${tag}_099`)).toEqual({ adminStatus, isKnown: false });
  });

  test.each(['014', '015'])('Exception_%s is undescribed: an open exception, and unknown', (number) => {
    expect(adminStatusOfAfterShip('Exception', `Exception_${number}`)).toEqual({ adminStatus: 'Exception', isKnown: false });
  });

  test.each([...afterShipTags].filter(([tag]) => tag !== 'Delivered'))(
    'an unknown subtag of %s is %s, whatever its tag says',
    (beginning, adminStatus) => {
      for (const tag of ['Delivered', 'InTransit', 'SomeFutureTag'])
        expect(adminStatusOfAfterShip(tag, `${beginning}_022`)).toEqual({ adminStatus, isKnown: false });
    },
  );

  test.each(['SomeFutureSubtag_001', 'delivered_001', '_', 'constructor'])('the unknown subtag %s is no delivery', (subtag) => {
    expect(adminStatusOfAfterShip('Delivered', subtag)).toEqual({ adminStatus: 'In Transit', isKnown: false });
    expect(adminStatusOfAfterShip('Exception', subtag)).toEqual({ adminStatus: 'Exception', isKnown: false });
  });

  test('an unknown subtag of Delivered counts as its tag', () => {
    expect(adminStatusOfAfterShip('Exception', 'Delivered_099')).toEqual({ adminStatus: 'Exception', isKnown: false });
    expect(adminStatusOfAfterShip('SomeFutureTag', 'Delivered_099')).toEqual({ adminStatus: 'In Transit', isKnown: false });
  });

  test('a known subtag decides over its tag', () => {
    expect(adminStatusOfAfterShip('Exception', 'InTransit_008')).toEqual({ adminStatus: 'In Transit', isKnown: true });
    expect(adminStatusOfAfterShip('SomeFutureTag', 'Exception_010')).toEqual({ adminStatus: 'Returning', isKnown: true });
  });

  test.each(['', 'SomeFutureTag', 'delivered', 'DELIVERED', 'Delivered to sender', 'constructor', '__proto__', 'toString'])(
    'tag %p is In Transit and unknown',
    (tag) => {
      expect(adminStatusOfAfterShip(tag)).toEqual({ adminStatus: 'In Transit', isKnown: false });
      expect(adminStatusOfAfterShip(tag, '__proto__')).toEqual({ adminStatus: 'In Transit', isKnown: false });
      expect(adminStatusOfAfterShip('InTransit', 'constructor')).toEqual({ adminStatus: 'In Transit', isKnown: false });
    },
  );
});
