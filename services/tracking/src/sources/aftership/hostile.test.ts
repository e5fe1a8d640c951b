import { describe, expect, test } from '@jest/globals';
import { MAX_NODES } from '../../domain/node.ts';
import { alpha2Of } from './country-codes.ts';
import { translateAfterShip } from './translation.ts';

const parcel = { trackingNumber: 'X1', dispatchedAt: 0 };
const good = { tag: 'InTransit', subtag: 'InTransit_003', message: 'Scan', checkpoint_time: '2026-11-25T08:30:00Z', slug: 'dhl' };

function translate(...checkpoints: unknown[]) {
  return translateAfterShip({ tracking_number: 'X1', slug: 'dhl', checkpoints }, parcel);
}

describe('what is no tracking is refused', () => {
  test.each([
    undefined,
    null,
    5,
    'text',
    [],
    {},
    { meta: {}, data: {} },
    { checkpoints: [] },
    { tracking_number: 5 },
    { tracking_number: ' ' },
  ])('%j', (raw) => {
    expect(() => translateAfterShip(raw, parcel)).toThrow('The response is no tracking of AfterShip');
  });

  test.each([{}, 'text', 5, true])('checkpoints %j', (checkpoints) => {
    expect(() => translateAfterShip({ tracking_number: 'X1', checkpoints }, parcel)).toThrow('no list');
  });

  test.each([undefined, null, []])('a tracking with checkpoints %j is empty', (checkpoints) => {
    expect(translateAfterShip({ tracking_number: 'X1', checkpoints }, parcel).nodes).toEqual([]);
  });
});

test('a wrong row does not cost the others', () => {
  const wrong = [null, 'text', 5, [], {}, { tag: {}, subtag: 7, message: [] }, { ...good, checkpoint_time: 'yesterday' }];
  const trace = translate(
    good,
    ...wrong,
    { ...good, checkpoint_time: 20261125 },
    { ...good, checkpoint_time: '2026-02-30T08:00:00' },
    good,
  );
  expect(trace.nodes).toHaveLength(2);
  expect(trace.leftOut).toEqual([
    ...Array(4).fill('a checkpoint is no object'),
    ...Array(2).fill('a checkpoint has neither a status nor a message'),
    ...Array(3).fill('a checkpoint has a time that cannot be read'),
  ]);
  expect(trace.undated).toEqual([]);
});

test.each([undefined, null, '', ' ', '2026-11-25'])('a row whose time is %j is kept without one', (time) => {
  const trace = translate({ ...good, checkpoint_time: time });
  expect(trace.nodes).toEqual([]);
  expect(trace.undated).toEqual([{ address: '', content: 'Scan', status: 'InTransit_003', adminStatus: 'In Transit' }]);
});

test('fields of wrong types count as missing', () => {
  const odd = { location: 5, city: {}, state: [], country_region: 7, country_region_name: null, slug: false, hash: 9, subtag_message: 4 };
  expect(translate({ ...good, ...odd }, { ...good, ...odd }).nodes).toEqual(
    Array(2).fill(expect.objectContaining({ address: '', provider: 'dhl', orderNo: 'X1' })),
  );
});

test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('%s is no code, country, carrier or repeated row', (key) => {
  const row = JSON.parse(`{"__proto__": {"tag": "Delivered"}, "message": "Scan", "checkpoint_time": "2026-11-25T08:30:00Z"}`);
  const trace = translate(row, { ...good, tag: key, subtag: key, country_region: key, slug: key, hash: key });
  expect(trace.nodes.map(({ adminStatus }) => adminStatus)).toEqual(['In Transit', 'In Transit']);
  expect(trace.nodes[1]).toMatchObject({ provider: key, orderNo: 'X1', status: key });
  expect(trace.unknownCodes).toEqual(['(no code)', key]);
  expect(alpha2Of(key)).toBeUndefined();
});

test('texts are cut and cleaned', () => {
  const long = `a\u0000\n${'\ud83d\ude00'.repeat(100_000)}`;
  const [node] = translate({ ...good, tag: long, subtag: long, message: long, location: long, city: long, state: long, slug: long }).nodes;
  expect(node?.status.length).toBeLessThanOrEqual(200);
  expect(node?.content.length).toBeLessThanOrEqual(2000);
  expect(node?.address.length).toBeLessThanOrEqual(500);
  expect(node?.provider?.length).toBeLessThanOrEqual(100);
  expect(node?.content.startsWith('a \ud83d\ude00')).toBe(true);
  const [numbered] = translateAfterShip({ tracking_number: long, checkpoints: [good] }, { ...parcel, trackingNumber: long }).nodes;
  expect(numbered?.orderNo.length).toBeLessThanOrEqual(100);
});

test('of too many rows, the newest are kept', () => {
  const rows = Array.from({ length: MAX_NODES + 3 }, (_, index) => ({ ...good, message: `Scan ${index}` }));
  const trace = translate(...rows);
  expect([trace.nodes.length, trace.nodes[0]?.content]).toEqual([MAX_NODES, 'Scan 3']);
  expect(trace.leftOut).toEqual(['the tracking has too many checkpoints: the oldest 3 are left out']);
  expect(translate(...rows.slice(3)).leftOut).toEqual([]);
});

test('a row without a message has that of its subtag, and an unrecognised carrier is none', () => {
  const row = { ...good, message: null, subtag_message: 'Arrival scan', slug: 'unrecognized' };
  const trace = translateAfterShip({ tracking_number: 'X1', slug: 'unrecognized', checkpoints: [row] }, parcel);
  expect(trace.nodes[0]).toMatchObject({ content: 'Arrival scan', provider: undefined, orderNo: 'X1' });
});

test('a country is named by two letters, or by its name when its code is unknown', () => {
  const place = (fields: object) => translate({ ...good, ...fields }).nodes[0]?.address;
  expect(place({ country_region: 'gbr', country_region_name: 'United Kingdom' })).toBe('GB');
  expect(place({ country_region: 'XKX', country_region_name: 'Kosovo' })).toBe('Kosovo');
  expect(place({ location: 'Pristina, Kosovo', country_region: 'XKX', country_region_name: 'Kosovo' })).toBe('Pristina, Kosovo');
  expect(place({ city: 'Pristina', country_region: 'XKX' })).toBe('Pristina, XKX');
});

test('every country has one code of two letters', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const alpha3 = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)));
  const alpha2 = alpha3.map(alpha2Of).filter((code) => code !== undefined);
  expect([alpha2.length, new Set(alpha2).size]).toEqual([249, 249]);
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  expect(alpha2.filter((code) => names.of(code) === undefined)).toEqual([]);
  expect(['CHN', 'DEU', 'POL', 'UKR', 'SWE', 'KOR'].map(alpha2Of)).toEqual(['CN', 'DE', 'PL', 'UA', 'SE', 'KR']);
});
