import { describe, expect, test } from '@jest/globals';
import { instantOf, MAX_NODES } from '../../domain/node.ts';
import type { SourceParcel, Trace } from '../trace.ts';
import { split17TrackResponse } from './response.ts';
import { translate17Track } from './translation.ts';

const parcel: SourceParcel = { trackingNumber: 'EX000000107CN', dispatchedAt: 0 };
const event = { time_iso: '2026-11-20T10:00:00+08:00', description: 'Scanned', sub_status: 'InTransit_Other' };

function withProviders(...providers: unknown[]): unknown {
  return { tracking: { providers } };
}

/** What every trace promises to those who store it. */
function expectStorable({ nodes, undated, unknownCodes }: Trace): void {
  expect(nodes.length + undated.length).toBeLessThanOrEqual(MAX_NODES);
  for (const node of nodes) expect(instantOf(node.createTime, node.times)).toBeDefined();
  for (const row of [...nodes, ...undated]) {
    expect([row.address.length <= 500, row.content.length <= 2000, row.status.length <= 200]).toEqual([true, true, true]);
  }
  expect(new Set(unknownCodes).size).toBe(unknownCodes.length);
}

const oddValues: readonly unknown[] = [
  null,
  undefined,
  0,
  -1,
  Number.POSITIVE_INFINITY,
  true,
  '',
  'x',
  [],
  [[]],
  {},
  { toString: null },
  'ü'.repeat(5000),
  '\ud800',
];

describe('what is no track_info', () => {
  test.each([undefined, 0, 'x', [], {}, { tracking: null }, { tracking: [], latest_status: null }, { code: 0, data: {} }])(
    '%j is refused',
    (raw) => {
      expect(() => translate17Track(raw, parcel)).toThrow('17TRACK: it is no track_info');
    },
  );

  test.each([0, 'x', {}])('providers %j are refused', (providers) => {
    expect(() => translate17Track({ tracking: { providers } }, parcel)).toThrow('17TRACK: tracking.providers is not a list');
  });
});

describe('one wrong row does not cost the others', () => {
  test.each(oddValues.map((value) => [value]))('%j as a row', (value) => {
    const trace = translate17Track(withProviders({ events: [value, event] }), parcel);
    expectStorable(trace);
    expect(trace).toMatchObject({ nodes: [{ content: 'Scanned' }], undated: [] });
    expect(trace.leftOut).toHaveLength(1);
  });

  test.each(oddValues.map((value) => [value]))('%j as a provider', (value) => {
    const trace = translate17Track(withProviders(value, { events: [event] }), parcel);
    expectStorable(trace);
    expect(trace.nodes).toHaveLength(1);
  });

  const fields = ['time_iso', 'time_utc', 'time_raw', 'description', 'location', 'stage', 'sub_status', 'address'];
  test.each(fields)('any value as %s', (field) => {
    for (const value of oddValues)
      expectStorable(translate17Track(withProviders({ events: [{ ...event, [field]: value }, event] }), parcel));
  });

  test.each(['country', 'state', 'city'])('any value as address.%s', (field) => {
    const rows = oddValues.map((value) => ({ ...event, time_iso: '2026-11-20T10:00:00', address: { [field]: value } }));
    const trace = translate17Track(withProviders({ events: rows }), parcel);
    expectStorable(trace);
    expect(trace.nodes).toHaveLength(oddValues.length);
  });

  test.each(['date', 'time', 'timezone'])('any value as time_raw.%s', (field) => {
    const time = { date: '2026-11-20', time: '10:00:00', timezone: '+08:00' };
    for (const value of oddValues) {
      expectStorable(translate17Track(withProviders({ events: [{ ...event, time_raw: { ...time, [field]: value } }] }), parcel));
    }
  });

  test('a provider without a name has its code, and one without either none', () => {
    const providers = [{ key: 3011, name: null }, { key: 'x' }, null].map((provider) => ({ provider, events: [event] }));
    expect(translate17Track(withProviders(...providers), parcel).nodes.map(({ provider }) => provider)).toEqual([
      '3011',
      undefined,
      undefined,
    ]);
  });
});

test('no more rows are read than a parcel may have, over all providers', () => {
  const many = { events: Array.from({ length: MAX_NODES - 1 }, () => event) };
  expect(translate17Track(withProviders(many, { events: [event] }), parcel)).toMatchObject({ leftOut: [] });
  const trace = translate17Track(withProviders(many, many, many), parcel);
  expectStorable(trace);
  expect(trace.nodes).toHaveLength(MAX_NODES);
  expect(trace.leftOut).toEqual([`There are more than ${MAX_NODES} rows`]);
});

test('names of the prototype are codes like others', () => {
  const codes = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'constructor'];
  const trace = translate17Track(withProviders({ events: codes.map((sub_status) => ({ ...event, sub_status })) }), parcel);
  expect(trace.nodes.map(({ adminStatus }) => adminStatus)).toEqual(codes.map(() => 'In Transit'));
  expect(trace.unknownCodes).toEqual(['constructor', '__proto__', 'toString', 'hasOwnProperty']);
  const parsed: unknown = JSON.parse(
    '{"tracking":{"providers":[{"events":[{"__proto__":{"sub_status":"Delivered_Other"},"description":"x"}]}]}}',
  );
  expect(translate17Track(parsed, parcel).undated).toMatchObject([{ adminStatus: 'In Transit' }]);
});

test('a response of any values is read or refused with a reason', () => {
  for (const value of oddValues) {
    const { traces, errors } = split17TrackResponse({
      code: 0,
      data: { accepted: [value], rejected: [value, { number: 'A1', error: value }] },
    });
    expect(traces).toEqual([]);
    expect(errors).toMatchObject([{ trackingNumber: 'A1', meaning: 'unknown' }]);
    expect(() => split17TrackResponse(value)).toThrow('17TRACK: the response has no code');
  }
});
