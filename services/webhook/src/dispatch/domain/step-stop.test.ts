import { expect, test } from '@jest/globals';
import { world } from '../../testing/step-world.ts';
import type { RunningAttempt } from './dispatch-events.ts';
import { MAX_UNRECORDED } from './dispatch-state.ts';

test('after a stop nothing starts any more, and what waits or still comes is given back', () => {
  const w = world();
  w.state.unrecorded = MAX_UNRECORDED;
  w.lease('a', 2);
  w.state.unrecorded = 0;
  w.on({ type: 'stopping' });
  w.lease('b', 1);
  expect(w.ofType('release')).toEqual([]);
  w.on({ type: 'stopped' });
  w.lease('c', 1);
  expect(w.started()).toEqual([]);
  expect(w.ofType('release').flatMap((effect) => (effect.type === 'release' ? effect.leased : []))).toHaveLength(4);
  expect(w.state.known.size).toBe(0);
});

test('the deadline of a stop ends attempts, whose leases are given back', () => {
  const w = world();
  w.lease('a', 1);
  w.on({ type: 'stopping' });
  w.on({ type: 'stopped' });
  w.on({ type: 'deadline' });
  const [attempt] = w.running as [RunningAttempt];
  expect(w.ofType('interrupt')).toEqual([{ type: 'interrupt', interruptions: [attempt.interruption] }]);
  attempt.interruption.interrupt();
  w.end(attempt, 'failed');
  expect(w.ofType('release')).toEqual([{ type: 'release', leased: [attempt.leased] }]);
  expect([w.state.running, w.ofType('settle')]).toEqual([0, []]);
});
