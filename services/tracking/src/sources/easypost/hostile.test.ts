import { expect, test } from '@jest/globals';
import { MAX_NODES } from '../../domain/node.ts';
import { EMPTY_TRACE, type SourceParcel } from '../trace.ts';
import { translateEasyPost } from './translation.ts';

const parcel: SourceParcel = { trackingNumber: 'ASKED', dispatchedAt: Date.parse('2026-11-02T10:00:00Z') };
const good = { status: 'in_transit', status_detail: 'unknown', datetime: '2026-11-05T08:00:00Z', message: 'On the way' };

test.each([undefined, null, 5, 'Tracker', [], {}, { error: { code: 'TRACKER.NOT_FOUND' } }, { object: 'Event', result: {} }])(
  '%p is no Tracker',
  (raw) => {
    expect(() => translateEasyPost(raw, parcel)).toThrow('no Tracker');
  },
);

test('a list of rows that is none is refused', () => {
  for (const tracking_details of [5, 'rows', {}, true])
    expect(() => translateEasyPost({ object: 'Tracker', tracking_details }, parcel)).toThrow('no list');
  for (const tracking_details of [undefined, null])
    expect(translateEasyPost({ object: 'Tracker', tracking_details }, parcel)).toEqual(EMPTY_TRACE);
});

test.each([undefined, null, 5, 'row', [], [good], {}, { ...good, status: 5 }, { ...good, status: ['delivered'] }, { ...good, status: {} }])(
  'the row %p is left out',
  (row) => {
    const { nodes, leftOut } = translateEasyPost({ object: 'Tracker', tracking_details: [row, good] }, parcel);
    expect(nodes).toHaveLength(1);
    expect(leftOut).toHaveLength(1);
  },
);

test.each([
  5,
  true,
  {},
  [],
  'soon',
  '2026-11-05',
  '2026-11-05T24:00:00Z',
  '2026-11-05T08:00:00+19:00',
  `2026-11-05T08:00:00.${'1'.repeat(1_000_000)}Z`,
])('a row of another time than ISO 8601 is left out', (datetime) => {
  const { nodes, undated, leftOut } = translateEasyPost({ object: 'Tracker', tracking_details: [{ ...good, datetime }] }, parcel);
  expect([nodes, undated, leftOut]).toEqual([[], [], ['A row has a time that does not exist']]);
});

test('a row without a time is kept apart', () => {
  for (const datetime of [undefined, null, '']) {
    const { nodes, undated, leftOut } = translateEasyPost({ object: 'Tracker', tracking_details: [{ ...good, datetime }] }, parcel);
    expect([nodes, undated, leftOut]).toEqual([
      [],
      [{ address: '', content: 'On the way', status: 'in_transit', adminStatus: 'In Transit' }],
      [],
    ]);
  }
});

test('fields of other types count as empty', () => {
  const row = { ...good, status_detail: 5, message: {}, description: ['x'], source: 7, tracking_location: 'here' };
  const place = { ...row, tracking_location: { city: 5, state: null, country: ['US'], zip: {} } };
  const { nodes } = translateEasyPost({ object: 'Tracker', tracking_code: 5, carrier: {}, tracking_details: [row, place] }, parcel);
  for (const node of nodes)
    expect(node).toMatchObject({ orderNo: 'ASKED', address: '', content: '', status: 'in_transit', provider: undefined });
  expect(nodes).toHaveLength(2);
});

test('keys of the prototype are codes like others', () => {
  const tracking_details = JSON.parse(
    `[${['__proto__', 'constructor', 'toString'].map((code) => JSON.stringify({ ...good, status: code, status_detail: code })).join()}, {"__proto__": {"status": "delivered"}}]`,
  ) as unknown;
  const { nodes, unknownCodes, leftOut } = translateEasyPost({ object: 'Tracker', tracking_details }, parcel);
  expect(nodes.map(({ adminStatus }) => adminStatus)).toEqual(['In Transit', 'In Transit', 'In Transit']);
  expect(unknownCodes).toEqual(['__proto__', 'constructor', 'toString']);
  expect(leftOut).toEqual(['A row has no status']);
});

test('rows and texts are bounded; the newest rows count', () => {
  const long = `a\u0000\ud800 ${'x'.repeat(100_000)}`;
  const place = { city: long, state: long, country: long, zip: long };
  const wide = { ...good, status: long, status_detail: long, message: long, source: long, tracking_location: place };
  const tracking_details = [...Array.from({ length: 5 * MAX_NODES }, () => good), wide];
  const { nodes, unknownCodes, leftOut } = translateEasyPost(
    { object: 'Tracker', tracking_code: long, carrier: long, tracking_details },
    parcel,
  );
  expect(nodes).toHaveLength(MAX_NODES);
  expect(leftOut).toEqual([`More than ${MAX_NODES} rows: the oldest are left out`]);
  const last = nodes.at(-1);
  expect(last?.orderNo).toHaveLength(100);
  expect(last?.address).toHaveLength(500);
  expect(last?.content).toHaveLength(2000);
  expect(last?.status.length).toBeLessThanOrEqual(200);
  expect(last?.provider?.length).toBeLessThanOrEqual(100);
  expect(unknownCodes[0]?.length).toBeLessThanOrEqual(200);
  expect(last?.content).toMatch(/^a \ufffd x/);
});

test('a parcel without a usable time of dispatch is read all the same', () => {
  const raw = { object: 'Tracker', tracking_details: [good] };
  for (const dispatchedAt of [Number.NaN, 0, 8.64e15]) expect(translateEasyPost(raw, { ...parcel, dispatchedAt }).nodes).toHaveLength(1);
});
