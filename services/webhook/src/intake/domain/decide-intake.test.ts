import { describe, expect, test } from '@jest/globals';
import { endpointFor, eventFor, planned, T0 } from '../../testing/webhook-fixtures.ts';
import { decideIntake, type KnownBefore } from './decide-intake.ts';
import type { NumberedParcel } from './event-stream.ts';
import type { TenantEvent } from './tenant-event.ts';

const endpoint = endpointFor('tnt_one', { endpointId: 'ep_1' });
const plan = () => planned();
const entriesOf = (events: readonly TenantEvent[]) => events.map((event) => ({ event, plan }));

function known({ stored = [], last = 0 }: { readonly stored?: readonly string[]; readonly last?: number } = {}): KnownBefore {
  return {
    endpointsOf: (tenantId) => (tenantId === 'tnt_one' ? [endpoint] : []),
    isStored: ({ eventId }) => stored.includes(eventId),
    lastNumberOf: ({ forecastNo }: NumberedParcel) => (forecastNo === 'FC1' ? last : 0),
  };
}

describe('a batch', () => {
  test('numbers the events of each parcel and stream in their order, after the last that is stored', () => {
    const batch = [
      eventFor('tnt_one', 'FC1'),
      eventFor('tnt_one', 'FC2'),
      eventFor('tnt_one', 'FC1'),
      eventFor('tnt_one', 'FC2', { type: 'forecast.accepted' }),
      eventFor('tnt_two', 'FC1'),
    ];
    const { inserts } = decideIntake(entriesOf(batch), known({ last: 7 }), T0);
    expect(inserts.map(({ sequence, stream }) => [sequence, stream])).toEqual([
      [8, 'standard'],
      [1, 'standard'],
      [9, 'standard'],
      [1, 'opt_in'],
      [8, 'standard'],
    ]);
    expect(inserts.map(({ body }) => body)).toEqual(inserts.map(({ sequence }) => JSON.stringify({ seq: sequence })));
    expect(inserts.map(({ deliveries }) => deliveries.length)).toEqual([1, 1, 1, 1, 0]);
  });

  test('stores an event once: not one that is stored, nor a second of the same id, and neither takes a number', () => {
    const [before, fresh, next] = [eventFor('tnt_one', 'FC1'), eventFor('tnt_one', 'FC1'), eventFor('tnt_one', 'FC1')];
    const batch = [before, fresh, fresh, before, next];
    const { inserts, stored, repeated, refused } = decideIntake(entriesOf(batch), known({ stored: [before.eventId], last: 1 }), T0);
    expect(inserts.map(({ index, sequence }) => [index, sequence])).toEqual([
      [1, 2],
      [4, 3],
    ]);
    expect([stored, refused]).toEqual([[0], []]);
    expect(repeated).toEqual([
      { index: 2, first: 1 },
      { index: 3, first: 0 },
    ]);
  });

  test('refuses an event whose plan throws, and gives its number to the next', () => {
    const error = new Error('refused');
    const refuse = (): never => {
      throw error;
    };
    const entries = [
      { event: eventFor('tnt_one', 'FC1'), plan: refuse },
      { event: eventFor('tnt_one', 'FC1'), plan },
    ];
    const { inserts, refused } = decideIntake(entries, known(), T0);
    expect(inserts.map(({ index, sequence }) => [index, sequence])).toEqual([[1, 1]]);
    expect(refused).toEqual([{ index: 0, error }]);
  });

  test('gives an event that belongs to no parcel no number', () => {
    const { inserts } = decideIntake(entriesOf([eventFor('tnt_one', 'FC1', { parcel: null })]), known({ last: 7 }), T0);
    expect(inserts).toMatchObject([{ event: { parcel: null }, sequence: null, body: '{"seq":null}' }]);
  });
});

test('what an attempt needs is there only with a lease', () => {
  const entry = { event: eventFor('tnt_one', 'FC1'), plan: () => planned({ leaseUntil: T0 + 1 }) };
  const [added] = decideIntake([entry], known(), T0).inserts;
  const [one] = added?.deliveries ?? [];
  if (!added || !one) throw new Error('nothing was decided');
  const { delivery } = one;
  const origin = { occurredAt: T0, traceparent: null };
  expect(one.leased).toEqual({ endpoint, delivery, body: '{"seq":1}', origin, leaseUntil: T0 + 1 });
  const [withoutLease] = decideIntake(entriesOf([entry.event]), known(), T0).inserts;
  expect(withoutLease?.deliveries.map(({ leased }) => leased)).toEqual([null]);
});
