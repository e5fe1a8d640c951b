import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NOW, node } from '../../testing/samples.ts';
import { addToHistory, digestNodes, oldestFirst } from './history.ts';
import { type CarrierNode, localTime, MAX_NODES, nodeInstant, nodeKey, offsetOf } from './node.ts';
import type { Parcel } from './shipment.ts';

type History = Pick<Parcel, 'nodes' | 'nodesSeen'>;
const EMPTY: History = { nodesSeen: 0 };

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

const seconds = (history: History): number[] => (history.nodes ?? []).map(({ instant }) => (instant - NOW) / 1000);
const nodesAt = (...times: number[]) => digestNodes(times.map((time) => node(time)));

describe('a history', () => {
  test('is in order and without repeats, in whatever pieces and order the nodes arrive', () => {
    const piece = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const history = pieces.reduce((known, piece) => addToHistory(known, nodesAt(...piece)), EMPTY);
        const all = [...new Set(pieces.flat())];
        expect(seconds(history)).toEqual(all.sort((a, b) => a - b));
        expect((history.nodes ?? []).map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(all.map((_, index) => index + 1));
      }),
    );
  });

  test('is the same object when it lacks none of the nodes', () => {
    const history = addToHistory(EMPTY, nodesAt(1, 2));
    expect(addToHistory(history, nodesAt(2, 1))).toBe(history);
    expect(addToHistory(history, [])).toBe(history);
  });

  test('puts the node received last behind those of the same instant', () => {
    const history = addToHistory(addToHistory(EMPTY, digestNodes([node(5, 'In Transit')])), digestNodes([node(5, 'Exception')]));
    expect(history.nodes?.map(({ adminStatus }) => adminStatus)).toEqual(['In Transit', 'Exception']);
  });

  test('holds the newest nodes, and does not take back what it has dropped', () => {
    const full = addToHistory(EMPTY, nodesAt(...Array.from({ length: MAX_NODES }, (_, index) => index)));
    const next = addToHistory(full, nodesAt(MAX_NODES, MAX_NODES + 1));
    expect([seconds(next)[0], seconds(next).at(-1), next.nodes?.length, next.nodesSeen]).toEqual([
      2,
      MAX_NODES + 1,
      MAX_NODES,
      MAX_NODES + 2,
    ]);
    expect(addToHistory(next, nodesAt(0, 1))).toBe(next);
  });
});
