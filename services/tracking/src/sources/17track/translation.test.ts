import { expect, test } from '@jest/globals';
import { MAX_NODES } from '../../watch/domain/node.ts';
import { carrierOf, translate17Track } from './translation.ts';

const parcel = { trackingNumber: 'YT2632400000000017', dispatchedAt: Date.parse('2026-11-15T00:00:00Z') };
const traceOf = (...providers: unknown[]) => translate17Track({ tracking: { providers } }, parcel);

test.each<[unknown, string | undefined]>([
  [3011, '3011'],
  ['3011', '3011'],
  [1_234_567_890, '1234567890'],
  ...[0, '0', '03011', '3011x', 'x3011', -3011, 30.11, 12_345_678_901, '', null, [3011]].map((code): [unknown, undefined] => [
    code,
    undefined,
  ]),
])('the carrier %j of an item is %j', (carrier, code) => {
  expect(carrierOf({ carrier })).toBe(code);
});

test('the nodes of several providers are no more than a parcel may have', () => {
  const event = { time_iso: '2026-11-20T10:00:00Z', description: 'Scanned', sub_status: 'InTransit_Other' };
  const many = { events: Array.from({ length: MAX_NODES - 1 }, () => event) };
  expect(traceOf(many, { events: [event] })).toMatchObject({ leftOut: 0 });
  const { nodes, leftOut } = traceOf(many, many, many);
  expect([nodes.length, leftOut]).toEqual([MAX_NODES, 2 * MAX_NODES - 3]);
});
