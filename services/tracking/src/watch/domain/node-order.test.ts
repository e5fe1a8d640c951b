import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NOW, node } from '../../testing/samples.ts';
import { type CarrierNode, localTime, MAX_NODES, nodeInstant, nodeKey, offsetOf } from './node.ts';
import { compareNodes, oldestFirst } from './node-order.ts';

const zones = ['(GMT+08:00)', '(GMT-05:00)', '(GMT+00:00)', '(GMT+05:30)'];
const nodes: fc.Arbitrary<CarrierNode> = fc
  .record({ seconds: fc.integer({ min: 0, max: 20 }), times: fc.constantFrom(...zones), content: fc.constantFrom('a', 'b') })
  .map(({ seconds, times, content }) =>
    node(0, 'In Transit', { times, content, createTime: localTime(NOW + seconds * 1000, offsetOf(times) as number) }),
  );

describe('oldestFirst', () => {
  test('orders by instant whatever the zone, drops repeats and nothing else', () => {
    fc.assert(
      fc.property(fc.array(nodes, { maxLength: 40 }), (given) => {
        const ordered = oldestFirst(given);
        const instants = ordered.map(nodeInstant);
        expect(instants).toEqual([...instants].sort((a, b) => a - b));
        expect(new Set(ordered.map(nodeKey))).toEqual(new Set(given.map(nodeKey)));
        expect(ordered).toHaveLength(new Set(given.map(nodeKey)).size);
      }),
    );
  });

  test('gives the same history whether the carrier begins with the oldest or with the newest', () => {
    const story = [node(0, 'Picked Up'), node(60, 'In Transit'), node(60, 'In Delivery'), node(90, 'Delivery Success')];
    expect(oldestFirst(story)).toEqual(story);
    expect(oldestFirst([...story].reverse())).toEqual(story);
  });

  test('keeps the newest when there are too many', () => {
    const many = Array.from({ length: MAX_NODES + 5 }, (_, index) => node(index));
    expect(oldestFirst(many)).toEqual(many.slice(5));
  });
});

test('of one instant the node that was received last is the newest', () => {
  const placed = [
    { instant: 2, seq: 1 },
    { instant: 1, seq: 3 },
    { instant: 1, seq: 2 },
  ];
  expect(placed.sort(compareNodes)).toEqual([
    { instant: 1, seq: 2 },
    { instant: 1, seq: 3 },
    { instant: 2, seq: 1 },
  ]);
});
