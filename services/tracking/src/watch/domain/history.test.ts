import { describe, expect, test } from '@jest/globals';
import type { AdminStatus } from '@parcelway/contracts/admin-status';
import fc from 'fast-check';
import { NOW, node } from '../../testing/samples.ts';
import { addToHistory, currentNode, digestNodes } from './history.ts';
import { MAX_NODES } from './node.ts';
import { EMPTY_HISTORY, type History } from './parcel-state.ts';

const seconds = (history: History): number[] => history.entries.map(({ instant }) => (instant - NOW) / 1000);
const nodesAt = (...times: number[]) => digestNodes(times.map((time) => node(time)));

describe('a history', () => {
  test('is in order and without repeats, in whatever pieces and order the nodes arrive', () => {
    const piece = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const history = pieces.reduce((known, piece) => addToHistory(known, nodesAt(...piece)), EMPTY_HISTORY);
        const all = [...new Set(pieces.flat())];
        expect(seconds(history)).toEqual(all.sort((a, b) => a - b));
        expect(history.entries.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(all.map((_, index) => index + 1));
      }),
    );
  });

  test('is the same object when it lacks none of the nodes', () => {
    const history = addToHistory(EMPTY_HISTORY, nodesAt(1, 2));
    expect(addToHistory(history, nodesAt(2, 1))).toBe(history);
    expect(addToHistory(history, [])).toBe(history);
  });

  test('puts the node received last behind those of the same instant', () => {
    const history = addToHistory(addToHistory(EMPTY_HISTORY, digestNodes([node(5, 'In Transit')])), digestNodes([node(5, 'Exception')]));
    expect(history.entries.map((entry) => entry.node?.adminStatus)).toEqual(['In Transit', 'Exception']);
  });

  test('holds the newest nodes, and does not take back what it has dropped', () => {
    const full = addToHistory(EMPTY_HISTORY, nodesAt(...Array.from({ length: MAX_NODES }, (_, index) => index)));
    const next = addToHistory(full, nodesAt(MAX_NODES, MAX_NODES + 1));
    expect([seconds(next)[0], seconds(next).at(-1), next.entries.length, next.seen]).toEqual([2, MAX_NODES + 1, MAX_NODES, MAX_NODES + 2]);
    expect(addToHistory(next, nodesAt(0, 1))).toBe(next);
  });

  test('has as its current node the newest by its time, whenever it came in', () => {
    const status = (...received: [number, AdminStatus][]): string | undefined =>
      currentNode(received.reduce((known, [time, name]) => addToHistory(known, digestNodes([node(time, name)])), EMPTY_HISTORY))
        ?.adminStatus;
    expect(status([5, 'Delivery Success'], [3, 'In Transit'])).toBe('Delivery Success');
    expect(status([5, 'In Transit'], [5, 'Exception'])).toBe('Exception');
    expect(currentNode(EMPTY_HISTORY)).toBeUndefined();
  });
});
