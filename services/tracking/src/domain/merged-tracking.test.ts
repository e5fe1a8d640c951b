import { describe, expect, test } from '@jest/globals';
import { node } from '../testing/samples.ts';
import { mergeTracking } from './merged-tracking.ts';

const [one, two, three] = [node(1, 'Picked Up'), node(2, 'In Transit'), node(3, 'Delivery Success')];

describe('the parcels of a forecast', () => {
  test('without nodes are under way', () => {
    expect(mergeTracking([[], []])).toEqual({ nodes: [], latestStatus: '', isTerminal: false });
    expect(mergeTracking([])).toEqual({ nodes: [], latestStatus: '', isTerminal: false });
  });

  test('that are one have its history', () => {
    expect(mergeTracking([[three, one]])).toEqual({ nodes: [three, one], latestStatus: 'Delivery Success', isTerminal: true });
  });

  test('have their nodes newest first; the newest one is the latest status', () => {
    expect(mergeTracking([[three, one], [two]])).toEqual({ nodes: [three, two, one], latestStatus: 'Delivery Success', isTerminal: false });
    expect(mergeTracking([[one], [two]])).toMatchObject({ nodes: [two, one], latestStatus: 'In Transit' });
  });

  test('of one instant: the parcel that was dispatched later comes first, and each keeps its order', () => {
    const [first, second, other] = [node(1, 'Picked Up'), node(1, 'In Transit'), node(1, 'Exception')];
    expect(mergeTracking([[second, first], [other]]).nodes).toEqual([other, second, first]);
  });

  test('have a final status when each of them has one', () => {
    expect(mergeTracking([[three], [node(2, 'Delivery Failure')]]).isTerminal).toBe(true);
    expect(mergeTracking([[three], []]).isTerminal).toBe(false);
  });
});
