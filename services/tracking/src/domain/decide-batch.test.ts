import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { accepted, after, cancelled, decideOn, dispatched, redispatched, rescheduled, response } from '../testing/facts.ts';
import { acceptedForecast, node } from '../testing/samples.ts';
import type { ParcelFact } from './facts.ts';
import type { Parcel } from './parcel-state.ts';

describe('a batch', () => {
  const facts = [
    accepted,
    dispatched,
    response([node(1)]),
    response([node(2, 'Delivery Success')]),
    rescheduled(null),
    redispatched,
    cancelled,
  ];

  test('comes to the same as its facts one by one, however it is cut', () => {
    const run = (sizes: readonly number[]) => {
      let parcel: Parcel | undefined;
      const messages: unknown[] = [];
      let rest: readonly ParcelFact[] = facts;
      for (const size of [...sizes, facts.length]) {
        const { writes } = decideOn(parcel, ...rest.slice(0, size));
        rest = rest.slice(size);
        parcel = writes[0]?.after ?? parcel;
        messages.push(...(writes[0]?.messages ?? []).map(({ data }) => data));
      }
      return { parcel, messages };
    };
    const whole = run([]);
    expect(whole.messages).toHaveLength(2);
    fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 7 }), (sizes) => expect(run(sizes)).toEqual(whole)));
  });

  test('decided again on what it has made writes nothing', () => {
    expect(decideOn(after(...facts), ...facts).writes).toEqual([]);
  });

  test('writes each parcel once, and has one outcome for each fact', () => {
    const other: ParcelFact = { type: 'accepted', ...acceptedForecast({ forecastNo: 'FC2' }) };
    const { writes, outcomes } = decideOn(undefined, accepted, other, dispatched, other);
    expect(writes.map(({ after: { forecast } }) => forecast.forecastNo)).toEqual(['FC1', 'FC2']);
    expect(outcomes).toHaveLength(4);
  });
});
