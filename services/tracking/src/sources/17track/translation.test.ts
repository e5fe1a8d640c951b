import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { nodeInstant } from '../../domain/node.ts';
import { oldestFirst } from '../../domain/node-order.ts';
import type { SourceParcel, Trace } from '../trace.ts';
import { split17TrackResponse } from './response.ts';
import { translate17Track } from './translation.ts';

const parcel: SourceParcel = { trackingNumber: 'YT2632400000000017', dispatchedAt: Date.parse('2026-11-15T00:00:00Z') };

function trackInfoOf(fixture: string, index = 0): unknown {
  const text = readFileSync(new URL(`./fixtures/gettrackinfo-${fixture}.json`, import.meta.url), 'utf8');
  return split17TrackResponse(JSON.parse(text)).traces[index]?.raw;
}

function traceOf(fixture: string, index = 0): Trace {
  return translate17Track(trackInfoOf(fixture, index), parcel);
}

/** A `track_info` with one provider. */
function withEvents(...events: unknown[]): unknown {
  return { tracking: { providers: [{ provider: { key: 3011, name: 'Example Post' }, events }] } };
}

const event = { time_iso: '2026-11-20T10:00:00+08:00', time_raw: { date: null, time: null, timezone: '+08:00' }, description: 'Scanned' };

describe('two legs of one way', () => {
  const { nodes, undated, unknownCodes, leftOut } = traceOf('two-legs');

  test('each node names the carrier that reported it, newest first', () => {
    expect(nodes.map(({ provider, adminStatus }) => [provider, adminStatus])).toEqual([
      ['Example Last Mile', 'Delivery Success'],
      ['Example Last Mile', 'In Delivery'],
      ['Example Last Mile', 'Delivery Attempted'],
      ['Example Last Mile', 'In Transit'],
      ['Example Forwarder', 'In Transit'],
      ['Example Forwarder', 'Customs Clearance'],
      ['Example Forwarder', 'In Transit'],
      ['Example Forwarder', 'Picked Up'],
      ['Example Forwarder', 'Info Received'],
    ]);
    expect(leftOut).toEqual([]);
  });

  test('a node has every field in the terms of the platform', () => {
    expect(nodes[6]).toEqual({
      orderNo: 'YT2632400000000017',
      address: 'Shenzhen, Guangdong, CN',
      content: 'Left the airport',
      status: 'InTransit_Departure',
      adminStatus: 'In Transit',
      createTime: '2026-11-16 14:40:00',
      times: '(GMT+08:00)',
      zoneBasis: 'given',
      provider: 'Example Forwarder',
    });
  });

  test('the delivery has its time in time_raw alone', () => {
    expect(nodes[0]).toMatchObject({ createTime: '2026-11-23 15:12:00', times: '(GMT-07:00)', zoneBasis: 'given' });
  });

  test('InTransit_TransportArrived is known, though 17TRACK does not document it', () => {
    expect(nodes[4]).toMatchObject({ status: 'InTransit_TransportArrived', adminStatus: 'In Transit' });
    expect(unknownCodes).toEqual([]);
  });

  test('a row without any time is kept and is no node', () => {
    expect(undated).toEqual([
      { address: '', content: 'Flights of this week are listed on our notice board', status: 'InTransit_Other', adminStatus: 'In Transit' },
    ]);
  });
});

describe('the nodes of two providers', () => {
  const at = (time_iso: string, sub_status: string): object => ({ ...event, time_iso, time_raw: null, sub_status });
  const first = [at('2026-11-16T10:00:00Z', 'InTransit_Departure'), at('2026-11-15T10:00:00Z', 'InTransit_PickedUp')];
  const last = [
    at('2026-11-20T10:00:00Z', 'Delivered_Other'),
    at('2026-11-20T11:00:00+01:00', 'OutForDelivery_Other'),
    at('2026-11-19T10:00:00Z', 'InTransit_Arrival'),
  ];
  const nodesOf = (...providers: object[][]) =>
    translate17Track({ tracking: { providers: providers.map((events) => ({ events })) } }, parcel).nodes;
  const expected = ['Delivered_Other', 'OutForDelivery_Other', 'InTransit_Arrival', 'InTransit_Departure', 'InTransit_PickedUp'];

  test.each([
    ['first', [first, last]],
    ['last', [last, first]],
  ])('are one list, newest first, when the older leg comes %s', (_, providers) => {
    expect(nodesOf(...providers).map(({ status }) => status)).toEqual(expected);
  });

  test('of one instant keep their order, so that the delivery is the current node', () => {
    expect(oldestFirst(nodesOf(first, last)).at(-1)?.adminStatus).toBe('Delivery Success');
  });

  test('of overlapping legs lie between each other', () => {
    const nodes = nodesOf([at('2026-11-20T09:00:00Z', 'InTransit_Other'), ...first], [at('2026-11-19T23:00:00-11:00', 'Delivered_Other')]);
    expect(nodes.map(({ status }) => status)).toEqual(['Delivered_Other', 'InTransit_Other', 'InTransit_Departure', 'InTransit_PickedUp']);
    const between = nodesOf(first, [at('2026-11-15T23:00:00Z', 'InTransit_Arrival')]);
    expect(between.map(({ status }) => status)).toEqual(['InTransit_Departure', 'InTransit_Arrival', 'InTransit_PickedUp']);
  });
});

describe('times', () => {
  const { nodes, undated, leftOut } = traceOf('odd-times');

  test('where time_utc disagrees with time_iso, the clock and offset of time_iso count', () => {
    expect(nodes[0]).toMatchObject({ createTime: '2026-11-14 14:40:00', times: '(GMT+05:30)', zoneBasis: 'derived' });
  });

  test('a null time_raw.timezone means that the offset is guessed', () => {
    expect(nodes[1]).toMatchObject({ createTime: '2026-11-13 17:34:00', times: '(GMT+02:00)', zoneBasis: 'assumed' });
  });

  test('a time without an offset has that of its place', () => {
    expect(nodes[2]).toMatchObject({ createTime: '2026-11-12 10:15:00', times: '(GMT+05:30)', zoneBasis: 'derived' });
  });

  test('time_utc alone is read in UTC, which is assumed', () => {
    expect(nodes[3]).toMatchObject({ createTime: '2026-11-11 23:00:00', times: '(GMT+00:00)', zoneBasis: 'assumed' });
  });

  test('a date without a time of day is no time, and a time that does not exist costs its row alone', () => {
    expect(nodes).toHaveLength(4);
    expect(undated.map(({ content }) => content)).toEqual(['Accepted, time not recorded']);
    expect(leftOut).toEqual(['The row has a time that does not exist']);
  });

  test.each([
    [{ time_raw: { date: '2026-11-20', time: '11:00', timezone: '-0300' } }, '2026-11-20 11:00:00', '(GMT-03:00)', 'given'],
    [{ time_raw: { date: '2026-11-20', time: '11:00:00', timezone: 'CST' } }, '2026-11-20 10:00:00', '(GMT+08:00)', 'given'],
    [{ time_raw: { date: '2026-11-20', time: '11:00', timezone: ':30' } }, '2026-11-20 10:00:00', '(GMT+08:00)', 'given'],
    [
      { time_raw: { date: '2026-11-20', time: '11:00:00', timezone: null }, time_iso: null },
      '2026-11-20 11:00:00',
      '(GMT+00:00)',
      'assumed',
    ],
    [
      { time_iso: '2026-11-20T11:00:00-05:00', time_raw: { timezone: null }, address: { country: 'CN' } },
      '2026-11-20 11:00:00',
      '(GMT+08:00)',
      'derived',
    ],
    [
      { time_iso: '2026-11-20T11:00:00-05:00', time_raw: { timezone: null }, address: { country: 'US' } },
      '2026-11-20 11:00:00',
      '(GMT-05:00)',
      'assumed',
    ],
    [{ time_iso: null, time_utc: '2026-11-20T02:00:00Z' }, '2026-11-20 02:00:00', '(GMT+00:00)', 'given'],
    [{ time_iso: 'soon', time_utc: '2026-11-20T02:00:00Z', time_raw: 'today' }, '2026-11-20 02:00:00', '(GMT+00:00)', 'assumed'],
  ])('%j is %s %s, %s', (fields, createTime, times, zoneBasis) => {
    expect(translate17Track(withEvents({ ...event, ...fields }), parcel).nodes).toMatchObject([{ createTime, times, zoneBasis }]);
  });
});

describe('traps', () => {
  test('Expired makes no node, and the newest stays what it was', () => {
    expect(traceOf('expired').nodes.map(({ adminStatus }) => adminStatus)).toEqual(['In Transit']);
    const expired = translate17Track(withEvents({ ...event, sub_status: 'Expired_Other' }, { ...event, stage: 'Expired' }), parcel);
    expect(expired).toMatchObject({ nodes: [], undated: [], unknownCodes: [] });
    expect(expired.leftOut).toEqual([
      'Expired_Other is a state of the watch, not of the parcel',
      'Expired is a state of the watch, not of the parcel',
    ]);
  });

  test('a refusal is Delivery Attempted, returning is not returned, and a delivery is corrected', () => {
    const nodes = [...traceOf('returned').nodes].sort((a, b) => nodeInstant(a) - nodeInstant(b));
    expect(nodes.map(({ adminStatus }) => adminStatus)).toEqual([
      'Delivery Success',
      'Delivery Attempted',
      'Returning',
      'Parcel Return to Origin',
    ]);
    expect(nodes.map(({ address }) => address)).toEqual(['Berlin, DE', 'Berlin, DE', 'Leipzig, DE', 'Guangzhou, Guangdong, CN']);
  });

  test('words are not final', () => {
    for (const description of ['Delivered', 'Returned to sender', 'Parcel lost', 'Cancelled']) {
      const [node] = translate17Track(withEvents({ ...event, description, stage: null, sub_status: '' }), parcel).nodes;
      expect(node).toMatchObject({ content: description, status: '', adminStatus: 'In Transit' });
    }
  });

  test('a null sub_status leaves the stage to speak', () => {
    const [node] = translate17Track(withEvents({ ...event, stage: 'OutForDelivery', sub_status: null }), parcel).nodes;
    expect(node).toMatchObject({ status: 'OutForDelivery', adminStatus: 'In Delivery' });
  });

  test('latest_status adds nothing to the rows', () => {
    const info = { ...(withEvents(event) as object), latest_status: { status: 'Delivered', sub_status: 'Delivered_Other' } };
    expect(translate17Track(info, parcel).nodes.some(({ adminStatus }) => isTerminalAdminStatus(adminStatus))).toBe(false);
  });

  test('a number that 17TRACK does not find, or has nothing of, has an empty trace', () => {
    const empty = { nodes: [], undated: [], unknownCodes: [], leftOut: [] };
    expect(traceOf('not-found')).toEqual(empty);
    expect(traceOf('not-found', 1)).toEqual(empty);
  });
});

test.each([
  [{ city: 'Köln', state: null, country: 'DE' }, 'KOELN', 'Köln, DE'],
  [{ city: null, state: 'CA', country: 'US' }, 'Somewhere', 'CA, US'],
  [{ city: '', state: '', country: 'US' }, 'LOS ANGELES', 'LOS ANGELES, US'],
  [{ country: 'US' }, '', 'US'],
  [{ country: 'us' }, 'US', 'US'],
  [null, 'EXAMPLE OFFICE', 'EXAMPLE OFFICE'],
  [null, null, ''],
])('the place of %j at %j is %j', (address, location, expected) => {
  expect(translate17Track(withEvents({ ...event, address, location }), parcel).nodes).toMatchObject([{ address: expected }]);
});
