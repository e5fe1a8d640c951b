import { expect, test } from '@jest/globals';
import { world } from '../../testing/step-world.ts';
import { leasedOf, resultOf } from '../../testing/webhook-fixtures.ts';
import { MAX_UNRECORDED } from './dispatch-state.ts';

test('lanes take turns, one attempt a turn', () => {
  const w = world();
  w.state.unrecorded = MAX_UNRECORDED;
  w.lease('a', 3);
  const b = w.lease('b', 1);
  expect(w.started()).toEqual([]);
  w.state.unrecorded = 0;
  w.on({ type: 'turns' });
  expect(w.started()).toEqual(['a', 'b', 'a', 'a']);
  expect(b.inLine).toBe(false);
});

test('nothing starts while too many results wait for the store, and the line stays as it is', () => {
  const w = world();
  w.state.unrecorded = MAX_UNRECORDED;
  const lane = w.lease('a', 1);
  expect([w.started(), lane.inLine]).toEqual([[], true]);
  w.on({ type: 'recorded', results: [resultOf(leasedOf(), 'succeeded')] });
  expect(w.started()).toEqual(['a']);
});

test('a lane that has to leave free places to others is passed, and keeps its place', () => {
  const w = world();
  w.waits.add('a');
  w.lease('a', 1, { payload: 'full' });
  w.lease('b', 1);
  expect(w.started()).toEqual(['b']);
  w.state.unrecorded = MAX_UNRECORDED;
  w.lease('c', 1);
  w.state.unrecorded = 0;
  w.waits.clear();
  w.on({ type: 'turns' });
  expect(w.started()).toEqual(['b', 'a', 'c']);
});

test('an attempt with a full payload is performed before the next turn, because it takes of what that one needs', () => {
  const w = world();
  w.lease('a', 2, { payload: 'full' });
  expect(w.ofType('attempt')).toHaveLength(2);
  expect(w.ofType('go_on')).toHaveLength(2);
});
