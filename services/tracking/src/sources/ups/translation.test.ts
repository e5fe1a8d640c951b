import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { MAX_NODES, nodeDigest } from '../../domain/node.ts';
import type { Trace } from '../trace.ts';
import { findUpsPackage } from './find-package.ts';
import { parseUpsPush } from './push.ts';
import { translateUps } from './translation.ts';

const fixture = (name: string): unknown => JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), 'utf8'));
const traceOf = (name: string, trackingNumber: string): Trace =>
  translateUps(findUpsPackage(fixture(name), trackingNumber), { trackingNumber, dispatchedAt: Date.UTC(2026, 10, 9) });
const translate = (...activity: unknown[]): Trace =>
  translateUps({ trackingNumber: '1ZPWY01', activity }, { trackingNumber: '1ZPWY01', dispatchedAt: 0 });
const status = { type: 'I', code: 'AR', statusCode: '005', description: 'Arrived' };

describe('whole packages', () => {
  test('a package across a border, newest first as UPS gives it', () => {
    const trace = traceOf('delivered', '1ZPWY0010300000017');
    expect(
      trace.nodes.map(({ adminStatus, status: code, createTime, times, address }) => [
        adminStatus,
        code,
        `${createTime} ${times}`,
        address,
      ]),
    ).toEqual([
      ['Delivery Success', 'FS', '2026-11-12 14:22:10 (GMT-08:00)', 'Fremont, CA, US'],
      ['In Delivery', 'OF', '2026-11-12 08:31:05 (GMT-08:00)', 'Fremont, CA, US'],
      ['In Delivery', 'ZL', '2026-11-12 06:04:12 (GMT-08:00)', 'Fremont, CA, US'],
      ['In Transit', 'DP', '2026-11-12 03:47:00 (GMT-08:00)', 'Oakland, CA, US'],
      ['Customs Clearance', 'SR', '2026-11-11 23:47:00 (GMT-08:00)', 'Ontario, CA, US'],
      ['Customs Clearance', 'VK', '2026-11-11 21:00:00 (GMT-08:00)', 'Ontario, CA, US'],
      ['In Transit', 'AR', '2026-11-11 10:15:00 (GMT-09:00)', 'Anchorage, AK, US'],
      ['Picked Up', 'OR', '2026-11-09 20:30:00 (GMT+08:00)', 'Shenzhen, CN'],
      ['Info Received', 'MP', '2026-11-09 10:05:00 (GMT+08:00)', 'CN'],
    ]);
    expect(new Set(trace.nodes.map(({ zoneBasis, orderNo }) => `${zoneBasis} ${orderNo}`))).toEqual(new Set(['given 1ZPWY0010300000017']));
    expect(trace.nodes[0]?.content).toBe('DELIVERED');
    expect(trace).toMatchObject({ undated: [], unknownCodes: [], leftOut: [] });
  });

  test('exceptions end nothing, and a wrong row costs the others nothing', () => {
    const trace = traceOf('exceptions', '1ZPWY0010300000026');
    expect(trace.nodes.map(({ adminStatus, times, zoneBasis }) => [adminStatus, times, zoneBasis])).toEqual([
      ['Returning', '(GMT-05:00)', 'given'],
      ['Exception', '(GMT-05:00)', 'given'],
      ['Available for Pickup', '(GMT-05:00)', 'given'],
      ['Delivery Attempted', '(GMT-05:00)', 'given'],
      ['Exception', '(GMT-05:00)', 'derived'],
      ['In Transit', '(GMT-05:00)', 'given'],
      ['In Transit', '(GMT-05:00)', 'given'],
      ['In Transit', '(GMT-06:00)', 'derived'],
    ]);
    expect(trace.undated).toEqual([{ address: 'Chicago, IL, US', content: 'Label created', status: 'MP', adminStatus: 'Info Received' }]);
    expect(trace.unknownCodes).toEqual(['I/Q9/999']);
    expect(trace.leftOut).toEqual(['An activity has a time that does not exist', 'An activity has no status', 'An activity has no status']);
  });

  test('a correction after a delivery is an exception', () => {
    expect(traceOf('corrected', '1ZPWY0010300000026').nodes.map(({ adminStatus }) => adminStatus)).toEqual([
      'Exception',
      'Delivery Success',
    ]);
  });

  test('a leg at the post office is open, even delivered by it', () => {
    const { nodes, unknownCodes } = traceOf('two-legs', '1ZPWY0010300000035');
    expect(nodes.map(({ adminStatus }) => adminStatus)).toEqual(['In Delivery', 'In Transit', 'In Transit']);
    expect(unknownCodes).toEqual([]);
  });

  test('a push and a query of one activity make one node', () => {
    const [event] = parseUpsPush(Buffer.from(JSON.stringify(fixture('push-out-for-delivery')))).traces;
    const activity = {
      date: '20261112',
      time: '083105',
      gmtDate: '20261112',
      gmtTime: '163105',
      gmtOffset: '-08:00',
      location: { address: { city: 'Fremont', stateProvince: 'CA', postalCode: '94538', countryCode: 'US', country: 'US' } },
      status: { type: 'I', code: 'OT', statusCode: '021', description: 'Out for Delivery ' },
    };
    const digests = [event?.raw, { activity: [activity] }].map((raw) =>
      translateUps(raw, { trackingNumber: '1ZCIETST0111111114', dispatchedAt: 0 }).nodes.map(nodeDigest),
    );
    expect(digests[0]).toHaveLength(1);
    expect(digests[0]).toEqual(digests[1]);
  });
});

describe('times', () => {
  const timeOf = (activity: object): unknown => {
    const [node] = translate({ status, ...activity }).nodes;
    return node && [node.createTime, node.times, node.zoneBasis];
  };
  const us = (stateProvince: string): object => ({ address: { stateProvince, countryCode: 'US' } });

  test.each([
    ['an offset is taken', { date: '20261112', time: '083105', gmtOffset: '-05:00' }, ['2026-11-12 08:31:05', '(GMT-05:00)', 'given']],
    [
      'an offset wins over a time in UTC',
      { date: '20210210', time: '071356', gmtDate: '20210210', gmtTime: '74700', gmtOffset: '-05:00' },
      ['2021-02-10 07:13:56', '(GMT-05:00)', 'given'],
    ],
    [
      'the time in UTC beside it gives the offset',
      { date: '20261112', time: '20000', gmtDate: '20261111', gmtTime: '203000' },
      ['2026-11-12 02:00:00', '(GMT+05:30)', 'given'],
    ],
    [
      'a local time without its zeros counts where the offset confirms it',
      { date: '20261112', time: '1430', gmtDate: '20261112', gmtTime: '51430', gmtOffset: '-05:00' },
      ['2026-11-12 00:14:30', '(GMT-05:00)', 'given'],
    ],
    [
      'a local time of hours and minutes leaves the one in UTC',
      { date: '20261112', time: '1430', gmtDate: '20261112', gmtTime: '193000', gmtOffset: '-05:00' },
      ['2026-11-12 14:30:00', '(GMT-05:00)', 'given'],
    ],
    [
      'four digits need an offset, for a difference may fit both readings',
      { date: '20261112', time: '1500', gmtDate: '20261112', gmtTime: '100000' },
      ['2026-11-12 10:00:00', '(GMT+00:00)', 'given'],
    ],
    [
      'five digits at no offset of a zone leave the time in UTC',
      { date: '20261112', time: '20000', gmtDate: '20261113', gmtTime: '203000', location: us('UT') },
      ['2026-11-13 20:30:00', '(GMT+00:00)', 'given'],
    ],
    ['zeros that were dropped come back', { gmtDate: '20261112', gmtTime: '74700' }, ['2026-11-12 07:47:00', '(GMT+00:00)', 'given']],
    ['midnight is 0', { gmtDate: '20261112', gmtTime: 0 }, ['2026-11-12 00:00:00', '(GMT+00:00)', 'given']],
    [
      'a time in UTC is shown at its offset',
      { gmtDate: 20261112, gmtTime: 74700, gmtOffset: '-08.00' },
      ['2026-11-11 23:47:00', '(GMT-08:00)', 'given'],
    ],
    [
      'without an offset the place decides',
      { date: '20261112', time: '083105', location: us('UT') },
      ['2026-11-12 08:31:05', '(GMT-07:00)', 'derived'],
    ],
    [
      'a place with several zones is assumed',
      { date: '20261112', time: '083105', location: us('') },
      ['2026-11-12 08:31:05', '(GMT-05:00)', 'assumed'],
    ],
    [
      'an offset of no zone is not taken',
      { date: '20261112', time: '083105', gmtOffset: '+99:00', location: us('UT') },
      ['2026-11-12 08:31:05', '(GMT-07:00)', 'derived'],
    ],
    [
      'a difference that is no zone is not taken',
      { date: '20261112', time: '083105', gmtDate: '20261112', gmtTime: '152959', location: us('UT') },
      ['2026-11-12 08:31:05', '(GMT-07:00)', 'derived'],
    ],
    [
      'a difference of days is not taken',
      { date: '20261112', time: '083105', gmtDate: '20261119', gmtTime: '083105', location: us('UT') },
      ['2026-11-12 08:31:05', '(GMT-07:00)', 'derived'],
    ],
    [
      'a wrong local time leaves the one in UTC',
      { date: '20260230', time: '083105', gmtDate: '20261112', gmtTime: '153105' },
      ['2026-11-12 15:31:05', '(GMT+00:00)', 'given'],
    ],
  ])('%s', (_rule, activity, expected) => {
    expect(timeOf(activity)).toEqual(expected);
  });

  test('a day without a time of day is undated', () => {
    for (const time of [undefined, null, '']) expect(translate({ status, date: '20261112', time }).undated).toHaveLength(1);
    expect(translate({ status }).undated).toEqual([{ address: '', content: 'Arrived', status: 'AR', adminStatus: 'In Transit' }]);
  });

  test('a time that does not exist leaves the row out', () => {
    for (const [date, time] of [
      ['20260230', '120000'],
      ['20261112', '240000'],
      ['20261112', '126000'],
      ['20261112', '0713'],
      ['20261112', '1430'],
      ['20261112', '74700'],
      ['20261112', 0],
      ['2026-11-12', '12:00:00'],
      [{}, []],
    ])
      expect(translate({ status, date, time })).toEqual({
        nodes: [],
        undated: [],
        unknownCodes: [],
        leftOut: ['An activity has a time that does not exist'],
      });
  });
});

describe('hostile packages', () => {
  test('what is no package is refused', () => {
    for (const wrong of [undefined, null, 1, 'x', []])
      expect(() => translateUps(wrong, { trackingNumber: '1', dispatchedAt: 0 })).toThrow('no object');
    for (const activity of [{}, 'x', 1])
      expect(() => translateUps({ activity }, { trackingNumber: '1', dispatchedAt: 0 })).toThrow('no list');
  });

  test('a package without an activity has an empty trace', () => {
    for (const raw of [{ trackingNumber: '1' }, { activity: [] }, { activity: null }])
      expect(translateUps(raw, { trackingNumber: '1', dispatchedAt: 0 })).toEqual({
        nodes: [],
        undated: [],
        unknownCodes: [],
        leftOut: [],
      });
  });

  test('rows without a code are left out', () => {
    const odd = [
      null,
      1,
      [],
      {},
      { status: null },
      { status: {} },
      { status: { type: {}, code: [], statusCode: true, description: 'Delivered' } },
    ];
    expect(translate(...odd, { status })).toMatchObject({
      undated: [{ status: 'AR' }],
      leftOut: odd.map(() => 'An activity has no status'),
    });
  });

  test('an unknown code is named once', () => {
    const unknown = { type: 'i', code: 'q9', description: 'new' };
    const { undated, unknownCodes } = translate(
      { status: unknown },
      { status: unknown },
      { status: { type: 'constructor', code: '__proto__' } },
    );
    expect(undated.map(({ adminStatus }) => adminStatus)).toEqual(['In Transit', 'In Transit', 'In Transit']);
    expect(unknownCodes).toEqual(['I/Q9/', 'CONSTRUCTOR/__PROTO__/']);
  });

  test('status codes are read without their zeros, as texts and as numbers', () => {
    for (const statusCode of ['11', 11, '011', ' 011 '])
      expect(translate({ status: { type: 'D', statusCode } }).undated).toMatchObject([{ adminStatus: 'Delivery Success', status: '011' }]);
  });

  test('words decide nothing', () => {
    expect(translate({ status: { type: 'I', description: 'Delivered to the local carrier' } }).undated).toMatchObject([
      { adminStatus: 'In Transit' },
    ]);
    expect(translate({ status: { type: 'X', description: 'DELIVERED' } }).undated).toMatchObject([{ adminStatus: 'Exception' }]);
  });

  test('texts are cut and cleaned, and rows are bounded', () => {
    const long = 'x'.repeat(100_000);
    const address = { city: `Oak\u0000land\n${long}`, stateProvince: 'CA', country: 'US' };
    const trace = translate(
      ...Array.from({ length: MAX_NODES + 5 }, () => ({ status: { ...status, description: long }, location: { address } })),
    );
    expect(trace.undated).toHaveLength(MAX_NODES);
    expect(trace.leftOut).toEqual(['The package has more activities than are kept']);
    expect(trace.undated[0]?.content).toHaveLength(2000);
    expect(trace.undated[0]?.address).toMatch(/^Oak land x{191}, CA, US$/);
  });
});
