import { expect, test } from '@jest/globals';
import { node } from '../testing/samples.ts';
import { localTime } from '../watch/domain/node.ts';
import { EMPTY_TRACE, newestOf, nodesOfParcel, type TraceNode } from './trace.ts';

const HOUR = 3_600_000;
const DAY = 86_400_000;
const DISPATCHED = Date.UTC(2026, 10, 20);
const NOW = Date.UTC(2026, 10, 26, 12);

/** A row at an instant, eight hours before UTC. */
function rowAt(instant: number, given: Partial<TraceNode> = {}): TraceNode {
  return { ...node(0), createTime: localTime(instant, -8 * HOUR), times: '(GMT-08:00)', zoneBasis: 'given', ...given };
}
const nodesAt = (...instants: number[]) => nodesOfParcel({ ...EMPTY_TRACE, nodes: instants.map((at) => rowAt(at)) }, DISPATCHED, NOW);

test('rows of the way from three days before the dispatch to now are those of the parcel, in the order of the source', () => {
  const { nodes, tooOld, ahead } = nodesAt(NOW, DISPATCHED - 3 * DAY, DISPATCHED + HOUR);
  expect(nodes.map(({ createTime }) => createTime)).toEqual(['2026-11-26 04:00:00', '2026-11-16 16:00:00', '2026-11-19 17:00:00']);
  expect([tooOld, ahead]).toEqual([0, 0]);
});

test('older rows are of another parcel', () => {
  expect(nodesAt(DISPATCHED - 3 * DAY - 1000, DISPATCHED - 400 * DAY, DISPATCHED)).toMatchObject({ tooOld: 2, ahead: 0, nodes: [{}] });
});

test('rows that lie more than a day ahead are left out', () => {
  expect(nodesAt(NOW + DAY, NOW + DAY + 1000)).toMatchObject({ tooOld: 0, ahead: 1, nodes: [{}] });
  expect(nodesAt(Date.UTC(9999, 0, 1))).toEqual({ nodes: [], tooOld: 0, ahead: 1 });
});

test('a node says whether its zone is assumed, and no more about its basis', () => {
  const rows = (['given', 'derived', 'assumed'] as const).map((zoneBasis) => rowAt(NOW, { zoneBasis }));
  const { nodes } = nodesOfParcel({ ...EMPTY_TRACE, nodes: rows }, DISPATCHED, NOW);
  expect(nodes.map(({ timeAssumed }) => timeAssumed)).toEqual([undefined, undefined, true]);
  const plain = { ...node(0), createTime: '2026-11-26 04:00:00', times: '(GMT-08:00)' };
  expect(nodes).toEqual([plain, plain, { ...plain, timeAssumed: true }]);
});

test('of several traces under one number the one with the newest row counts, and the first of those', () => {
  const read = (instant: number | undefined) => {
    if (instant === undefined) throw new Error('It cannot be read');
    return instant === 0 ? [undefined] : [rowAt(instant), rowAt(DISPATCHED)];
  };
  expect(newestOf([undefined, 0, NOW, NOW - HOUR], read)).toBe(NOW);
  expect(newestOf([undefined, 0], read)).toBeUndefined();
  expect(newestOf([...Array(1000).fill(NOW - HOUR), NOW], read)).toBe(NOW);
  const alone = (): never => {
    throw new Error('Nothing is read of one that is alone');
  };
  expect([newestOf([NOW], alone), newestOf([], alone)]).toEqual([NOW, undefined]);
});
