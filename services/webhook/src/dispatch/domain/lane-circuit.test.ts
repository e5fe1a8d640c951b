import { describe, expect, test } from '@jest/globals';
import { laneWith, NOW, resultOf, succeeded } from '../../testing/lanes.ts';

describe('the circuit of a lane', () => {
  test('opens with the twentieth failure in a row, and a success in between starts again', () => {
    const lane = laneWith(1);
    const fail = (times: number) => Array.from({ length: times }, () => lane.learn(resultOf(), NOW, 0)).at(-1);
    expect(fail(19)).toBeUndefined();
    lane.learn(succeeded, NOW, 0);
    expect(fail(19)).toBeUndefined();
    const circuit = { openUntil: NOW + 1000, cooldownMs: 1000 };
    expect(fail(1)).toEqual({ circuit });
    expect(lane.endpoint.circuit).toEqual(circuit);
    // One that began before the circuit opened says nothing new.
    expect(fail(1)).toBeUndefined();
    lane.learn(succeeded, NOW, 0);
    expect(lane.endpoint.circuit).toBeNull();
  });

  test('takes no notice of tests', () => {
    const lane = laneWith(1);
    for (let failure = 0; failure < 30; failure += 1) lane.learn(resultOf({}, { test: true, eventType: 'parcel.weighed' }), NOW, 0);
    expect(lane.endpoint.circuit).toBeNull();
  });
});
