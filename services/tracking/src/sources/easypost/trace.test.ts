import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { SourceParcel, Trace } from '../trace.ts';
import { translateEasyPost } from './translation.ts';

const parcel: SourceParcel = { trackingNumber: 'ASKED', dispatchedAt: Date.parse('2026-11-02T10:00:00Z'), destinationCountry: 'US' };
const fixture = (name: string): unknown => JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'));
const trace = (name: string, more: object = {}): Trace => translateEasyPost({ ...(fixture(name) as object), ...more }, parcel);
const adminStatuses = ({ nodes }: Trace): string[] => nodes.map(({ adminStatus }) => adminStatus);

/** A Tracker of rows `status detail` with an hour between them. */
function tracker(rows: readonly string[], more: object = {}): unknown {
  const tracking_details = rows.map((row, index) => {
    const [status, status_detail] = row.split(' ');
    return { status, status_detail, datetime: `2026-11-05T${String(index).padStart(2, '0')}:00:00Z`, message: row };
  });
  return { object: 'Tracker', tracking_code: 'NUMBER', carrier: 'USPS', tracking_details, ...more };
}

test('rows become nodes in the order of the source', () => {
  const { nodes, ...rest } = trace('delivered');
  expect(rest).toEqual({ undated: [], unknownCodes: [], leftOut: [] });
  expect(nodes).toHaveLength(6);
  expect(nodes[0]).toMatchObject({ address: '91746, US', status: 'label_created', adminStatus: 'Info Received' });
  expect(nodes[3]).toMatchObject({ address: 'DENVER, CO', status: 'departed_facility', adminStatus: 'In Transit' });
  expect(nodes[5]).toEqual({
    orderNo: '700000000011',
    address: 'ALBANY, NY, US',
    content: 'Left at the entrance',
    status: 'arrived_at_destination',
    createTime: '2026-11-05 13:20:00',
    times: '(GMT-05:00)',
    zoneBasis: 'given',
    adminStatus: 'Delivery Success',
    provider: 'FedEx',
  });
});

describe('traps', () => {
  test('Z may be local time: it is assumed, an offset is given, a place with one zone decides', () => {
    expect(
      trace('delivered')
        .nodes.map(({ times, zoneBasis }) => `${times} ${zoneBasis}`)
        .slice(0, 2),
    ).toEqual(['(GMT+00:00) assumed', '(GMT-08:00) given']);
    const odd = trace('odd-rows').nodes.map(({ createTime, zoneBasis }) => `${createTime} ${zoneBasis}`);
    expect(odd.slice(0, 3)).toEqual(['2026-11-04 08:15:00 derived', '2026-11-04 10:15:00 assumed', '2026-11-04 11:15:00 assumed']);
  });

  test('failure and error are not final: the parcel moves on', () => {
    expect(adminStatuses(trace('corrected')).slice(0, 2)).toEqual(['Exception', 'In Transit']);
    expect(adminStatuses(translateEasyPost(tracker(['error', 'out_for_delivery']), parcel))).toEqual(['Exception', 'In Delivery']);
  });

  test('a parcel comes back to life: delivered, error, delivered', () => {
    expect(adminStatuses(trace('corrected')).slice(2, 5)).toEqual(['Delivery Success', 'Exception', 'Delivery Success']);
  });

  test('one word for returning and returned: a later delivery proves the return', () => {
    expect(adminStatuses(trace('returned'))).toEqual([
      'Delivery Attempted',
      'Exception',
      'Returning',
      'In Transit',
      'Parcel Return to Origin',
    ]);
  });

  test('one word for returning and returned: the word alone is Returning, also for a return and a closed Tracker', () => {
    const rows = ['in_transit', 'return_to_sender return', 'return_to_sender status_update'];
    for (const more of [{}, { is_return: true }, { finalized: true, status: 'return_to_sender' }])
      expect(adminStatuses(translateEasyPost(tracker(rows, more), parcel))).toEqual(['In Transit', 'Returning', 'Returning']);
  });

  test('the delivery of a return is a return, that of any other parcel is not', () => {
    const rows = ['in_transit', 'delivered arrived_at_destination'];
    expect(adminStatuses(translateEasyPost(tracker(rows, { is_return: true }), parcel))).toEqual(['In Transit', 'Parcel Return to Origin']);
    for (const is_return of [false, null, 'true', 1])
      expect(adminStatuses(translateEasyPost(tracker(rows, { is_return }), parcel))).toEqual(['In Transit', 'Delivery Success']);
  });

  test('a delivery before the return stays one, whatever the order of the rows', () => {
    const rows = (tracker(['delivered', 'return_to_sender', 'delivered']) as { tracking_details: unknown[] }).tracking_details;
    expect(adminStatuses(translateEasyPost({ object: 'Tracker', tracking_details: rows.toReversed() }, parcel))).toEqual([
      'Parcel Return to Origin',
      'Returning',
      'Delivery Success',
    ]);
  });

  test('refused is not yet returning', () => {
    expect(adminStatuses(translateEasyPost(tracker(['in_transit refused', 'failure refused']), parcel))).toEqual([
      'Exception',
      'Exception',
    ]);
  });

  test('delivered in a text is not delivered: the transfer to another carrier', () => {
    expect(trace('two-legs').nodes[1]).toMatchObject({ content: 'Delivered to local carrier', adminStatus: 'In Transit' });
  });

  test('two legs: each row names its carrier', () => {
    expect(trace('two-legs').nodes.map(({ provider }) => provider)).toEqual(['DHLEcommerce', 'DHLEcommerce', 'USPS']);
  });

  test('a number is used again: the return of the earlier parcel proves nothing of this one', () => {
    expect(adminStatuses(trace('reused-number'))).toEqual(['Returning', 'In Transit', 'Delivery Success']);
  });

  test('a number is used again: rows count from three days before the dispatch', () => {
    const rows = tracker(['return_to_sender', 'delivered']);
    const [first, day] = [Date.parse('2026-11-05T00:00:00Z'), 86_400_000];
    const last = (dispatchedAt: number): string | undefined => adminStatuses(translateEasyPost(rows, { ...parcel, dispatchedAt })).at(-1);
    expect(last(first + 3 * day)).toBe('Parcel Return to Origin');
    expect(last(first + 3 * day + 1)).toBe('Delivery Success');
  });

  test('a remark of status unknown leaves a parcel where it was, and is Pending before any other row', () => {
    expect(adminStatuses(trace('delivered')).slice(1, 3)).toEqual(['Picked Up', 'Picked Up']);
    expect(adminStatuses(trace('corrected')).at(-1)).toBe('Delivery Success');
    expect(adminStatuses(translateEasyPost(tracker(['unknown', 'pre_transit', 'unknown', 'unknown lost']), parcel))).toEqual([
      'Pending',
      'Info Received',
      'Info Received',
      'Delivery Failure',
    ]);
  });

  test('no news for a long time is no end', () => {
    expect(trace('odd-rows').nodes.at(-1)).toMatchObject({ status: 'expired', adminStatus: 'Exception' });
  });
});

test('a number that is not found has no nodes', () => {
  expect(trace('not-found')).toEqual({ nodes: [], undated: [], unknownCodes: [], leftOut: [] });
});

test('one wrong row does not cost the trace', () => {
  const { nodes, undated, unknownCodes, leftOut } = trace('odd-rows');
  expect(nodes.map(({ status }) => status)).toEqual(['arrived_at_facility', 'arrived_at_facility', 'beamed_up', 'teleported', 'expired']);
  expect(undated).toEqual([{ address: '', content: 'Announced, without a time', status: 'label_created', adminStatus: 'Info Received' }]);
  expect(unknownCodes).toEqual(['in_transit/beamed_up', 'teleported']);
  expect(leftOut).toEqual(['A row has a time that does not exist', 'A row has no status', 'A row is no object']);
});

test('a country that is written out is not taken for the code of another', () => {
  const read = (country: string) => {
    const row = { status: 'in_transit', datetime: '2026-11-05T08:00:00', tracking_location: { country } };
    return translateEasyPost({ object: 'Tracker', tracking_details: [row] }, parcel).nodes[0];
  };
  expect(read('GERMANY')).toMatchObject({ times: '(GMT+00:00)', zoneBasis: 'assumed', address: 'GERMANY' });
  expect(read('DE')).toMatchObject({ times: '(GMT+01:00)', zoneBasis: 'derived' });
});

test('an unknown code is named once', () => {
  const { unknownCodes } = translateEasyPost(
    tracker(['beamed', 'beamed lost', 'delivered beamed', 'delivered beamed', '__proto__']),
    parcel,
  );
  expect(unknownCodes).toEqual(['beamed', 'delivered/beamed', '__proto__']);
});
