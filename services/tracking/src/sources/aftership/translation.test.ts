import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { EMPTY_TRACE, type Trace } from '../trace.ts';
import { translateAfterShip } from './translation.ts';

interface Tracking {
  tracking_number: string;
  first_mile?: unknown;
  last_mile?: unknown;
  trackings?: Tracking[];
}

function fixture(name: string): Tracking {
  return (JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8')) as { data: Tracking }).data;
}

function translate(raw: Tracking & { checkpoints?: unknown[] }): Trace {
  return translateAfterShip(raw, { trackingNumber: raw.tracking_number, dispatchedAt: Date.parse('2026-11-08T00:00:00Z') });
}

const statusesOf = (trace: Trace) => trace.nodes.map(({ adminStatus }) => adminStatus);

describe('a parcel on two legs', () => {
  const trace = translate(fixture('get-two-legs'));

  test('has the rows of both, in their order, with times that are given, of a place in one zone, or of a state in two', () => {
    expect(trace.nodes.map((node) => [node.status, node.adminStatus, node.createTime, node.times, node.zoneBasis])).toEqual([
      ['InfoReceived_001', 'Info Received', '2026-11-08 10:15:00', '(GMT+08:00)', 'given'],
      ['InTransit_002', 'Picked Up', '2026-11-08 19:40:12', '(GMT+08:00)', 'derived'],
      ['InTransit_007', 'In Transit', '2026-11-09 03:05:00', '(GMT+08:00)', 'derived'],
      ['InTransit_005', 'Customs Clearance', '2026-11-13 21:10:00', '(GMT+00:00)', 'given'],
      ['InTransit_003', 'In Transit', '2026-11-15 08:00:00', '(GMT-06:00)', 'assumed'],
      ['OutForDelivery_001', 'In Delivery', '2026-11-16 07:30:00', '(GMT-06:00)', 'given'],
      ['Delivered_005', 'Delivery Success', '2026-11-16 14:12:00', '(GMT-06:00)', 'assumed'],
    ]);
    expect([trace.unknownCodes, trace.leftOut]).toEqual([[], []]);
  });

  test('trap 6: each row says which carrier reported it', () => {
    expect(trace.nodes.map(({ provider }) => provider)).toEqual([...Array(4).fill('yunexpress'), ...Array(3).fill('usps')]);
  });

  test('has its own number in every row, so that a row stays the same when the number of a leg arrives later', () => {
    const raw = fixture('get-two-legs');
    expect([raw.first_mile, raw.last_mile]).not.toContain(undefined);
    expect(new Set(trace.nodes.map(({ orderNo }) => orderNo))).toEqual(new Set([raw.tracking_number]));
    expect(translate({ ...raw, first_mile: null, last_mile: null }).nodes).toEqual(trace.nodes);
  });

  test('names each place once, most specific first', () => {
    expect(trace.nodes.map(({ address }) => address)).toEqual([
      '',
      'Longhua Warehouse, Shenzhen, Guangdong, CN',
      'Shenzhen, Guangdong, CN',
      'Los Angeles, CA, USA, United States',
      'MEMPHIS TN DISTRIBUTION CENTER, US',
      'Nashville, TN, US',
      'Nashville, TN, US',
    ]);
  });

  test('keeps a row without a time of day, and does not show it', () => {
    expect(trace.undated).toEqual([
      { address: 'Hong Kong', content: 'Given to the airline', status: 'InTransit_001', adminStatus: 'In Transit' },
      { address: 'HK', content: 'Export clearance', status: 'InTransit_006', adminStatus: 'Customs Clearance' },
    ]);
  });

  test('has a checkpoint that comes twice once, by its hash', () => {
    expect(trace.nodes.filter(({ content }) => content === 'Departed from sorting centre')).toHaveLength(1);
  });
});

test('trap 1: Expired is a state of the watch, and makes no node', () => {
  const trace = translate(fixture('get-expired'));
  expect(trace.nodes.map(({ status }) => status)).toEqual(['InTransit_002', 'InTransit_007']);
  expect(statusesOf(trace).some(isTerminalAdminStatus)).toBe(false);
  expect([trace.undated, trace.unknownCodes, trace.leftOut]).toEqual([[], [], ['Expired is a state of the watch']]);
  const unknown = { tracking_number: 'X', checkpoints: [{ subtag: 'Expired_099', message: 'No news' }] };
  expect(translate(unknown)).toEqual({ ...EMPTY_TRACE, leftOut: ['Expired is a state of the watch'] });
});

test('trap 2: refused is open, returning is open, returned is the end', () => {
  const trace = translate(fixture('get-returned'));
  expect(statusesOf(trace)).toEqual(['Delivery Attempted', 'Exception', 'Returning', 'Parcel Return to Origin']);
  expect(statusesOf(trace).map(isTerminalAdminStatus)).toEqual([false, false, false, true]);
});

test('trap 3: an exception is not final', () => {
  for (const raw of ['Exception', 'AttemptFail']) {
    const trace = translateAfterShip(
      { tracking_number: 'X', checkpoints: [{ tag: raw, checkpoint_time: '2026-11-25T08:30:00Z', message: 'Delivery failed: weather' }] },
      { trackingNumber: 'X', dispatchedAt: 0 },
    );
    expect(statusesOf(trace).some(isTerminalAdminStatus)).toBe(false);
  }
});

test.each(['Delivered to local carrier', 'Not delivered', 'Delivered to sender', 'Will be returned to sender', 'Lost', 'Cancelled'])(
  'trap 5: the words "%s" do not end the way',
  (message) => {
    const checkpoint = { tag: 'InTransit', subtag: 'InTransit_001', message, checkpoint_time: '2026-11-25T08:30:00Z' };
    expect(statusesOf(translate({ tracking_number: 'X', checkpoints: [checkpoint] }))).toEqual(['In Transit']);
  },
);

test('trap 7: a parcel comes back to life', () => {
  const trace = translate(fixture('get-correction'));
  expect(statusesOf(trace)).toEqual(['In Transit', 'Delivery Success', 'Exception', 'Delivery Success']);
});

test('trap 8: an unknown subtag is what it begins with, and is named once', () => {
  const row = { checkpoint_time: '2026-11-25T08:30:00Z', message: 'New' };
  const checkpoints = [
    { ...row, tag: 'Exception', subtag: 'Exception_099' },
    { ...row, tag: 'Exception', subtag: 'Exception_099' },
    { ...row, tag: 'SomeFutureTag' },
    { ...row, tag: null, subtag: null },
  ];
  const trace = translate({ tracking_number: 'X', checkpoints });
  expect(statusesOf(trace)).toEqual(['Exception', 'Exception', 'In Transit', 'In Transit']);
  expect(trace.nodes.map(({ status }) => status)).toEqual(['Exception_099', 'Exception_099', 'SomeFutureTag', '']);
  expect(trace.unknownCodes).toEqual(['Exception_099', 'SomeFutureTag', '(no code)']);
});

test('trap 8: an unknown subtag that contradicts the tag Delivered is not final', () => {
  const checkpoint = { tag: 'Delivered', subtag: 'Exception_022', checkpoint_time: '2026-11-25T08:30:00Z', message: 'New' };
  const trace = translate({ tracking_number: 'X', checkpoints: [checkpoint] });
  expect([statusesOf(trace), trace.unknownCodes]).toEqual([['Exception'], ['Exception_022']]);
});

test.each([
  ['2026-11-25T08:30:00+08:00', {}, '(GMT+08:00)', 'given'],
  ['2026-11-25T08:30:00Z', { country_region: 'CHN' }, '(GMT+00:00)', 'given'],
  ['2026-11-25T08:30:00', { country_region: 'DEU' }, '(GMT+01:00)', 'derived'],
  ['2026-11-25T08:30:00', { country_region: 'USA', state: 'CA' }, '(GMT-08:00)', 'derived'],
  ['2026-11-25T08:30:00', { country_region: 'USA' }, '(GMT-05:00)', 'assumed'],
  ['2026-11-25T08:30:00', { country_region: 'ZZZ' }, '(GMT+00:00)', 'assumed'],
  ['2026-11-25T08:30:00', {}, '(GMT+00:00)', 'assumed'],
])('trap 10: the zone of %s at %j is %s, %s', (time, place, times, zoneBasis) => {
  const checkpoint = { tag: 'InTransit', message: 'Scan', checkpoint_time: time, ...place };
  const [node] = translate({ tracking_number: 'X', checkpoints: [checkpoint] }).nodes;
  expect(node).toMatchObject({ createTime: '2026-11-25 08:30:00', times, zoneBasis });
});

test('a parcel that is not known yet has no rows', () => {
  expect(translate(fixture('get-pending'))).toEqual(EMPTY_TRACE);
  expect(() => translate(fixture('get-not-found'))).toThrow('no tracking');
});

test('trap 9: a number that is used again is a tracking for each carrier, each with its own rows', () => {
  const traces = fixture('list-reused-number').trackings?.map(translate) ?? [];
  expect(traces.map(({ nodes }) => nodes.map(({ provider, createTime }) => [provider, createTime]))).toEqual([
    [['fedex', '2026-11-18 20:00:00']],
    [['tnt', '2024-02-02 12:01:00']],
  ]);
});
