import { describe, expect, test } from '@jest/globals';
import { oldestFirst } from '../../watch/domain/history.ts';
import { MAX_NODES } from '../../watch/domain/node.ts';
import { translate17Track } from './translation.ts';
import { carrierOf } from './wire.ts';

const parcel = { trackingNumber: 'YT2632400000000017', dispatchedAt: Date.parse('2026-11-15T00:00:00Z') };
const traceOf = (...providers: unknown[]) => translate17Track({ tracking: { providers } }, parcel);
const at = (time_iso: string, sub_status = 'InTransit_Other'): object => ({ time_iso, description: 'Scanned', sub_status });

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

describe('the nodes of two providers', () => {
  const first = [at('2026-11-16T10:00:00Z', 'InTransit_Departure'), at('2026-11-15T10:00:00Z', 'InTransit_PickedUp')];
  const last = [at('2026-11-20T10:00:00Z', 'Delivered_Other'), at('2026-11-20T11:00:00+01:00', 'OutForDelivery_Other')];
  const codesOf = (...lists: object[][]) => traceOf(...lists.map((events) => ({ events }))).nodes.map(({ status }) => status);

  test('are one list, newest first; those of one instant keep their order, so that the delivery is the current node', () => {
    const expected = ['Delivered_Other', 'OutForDelivery_Other', 'InTransit_Departure', 'InTransit_PickedUp'];
    expect([codesOf(first, last), codesOf(last, first)]).toEqual([expected, expected]);
    expect(oldestFirst(traceOf({ events: first }, { events: last }).nodes).at(-1)?.adminStatus).toBe('Delivery Success');
  });

  test('are no more than a parcel may have', () => {
    const many = { events: Array.from({ length: MAX_NODES - 1 }, () => at('2026-11-20T10:00:00Z')) };
    expect(traceOf(many, { events: [at('2026-11-20T10:00:00Z')] })).toMatchObject({ leftOut: 0 });
    const { nodes, leftOut } = traceOf(many, many, many);
    expect([nodes.length, leftOut]).toEqual([MAX_NODES, 2 * MAX_NODES - 3]);
  });
});
