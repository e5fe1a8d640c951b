import { expect, test } from '@jest/globals';
import { world } from '../../testing/step-world.ts';
import { T0 } from '../../testing/webhook-fixtures.ts';
import type { RunningAttempt } from './dispatch-events.ts';

test('what had no room is looked for in the store, at once when its endpoint has nothing else here', () => {
  const w = world();
  w.on({ type: 'leased', leased: [], waiting: new Set(['unknown']) });
  expect(w.ofType('look_at')).toEqual([{ type: 'look_at', at: T0 }]);
  const busy = w.lease('busy', 1);
  w.on({ type: 'leased', leased: [], waiting: new Set(['busy']) });
  expect([busy.backlog, w.ofType('refill')]).toEqual([true, []]);
  w.end(w.running[0] as RunningAttempt);
  expect(w.ofType('refill')).toEqual([{ type: 'refill', endpointId: 'busy' }]);
});

test('an idle lane is refilled as soon as something waits for it in the store', () => {
  const w = world();
  const lane = w.lease('a', 1);
  lane.backlog = true;
  w.end(w.running[0] as RunningAttempt);
  expect(w.ofType('refill')).toHaveLength(1);
  w.on({ type: 'leased', leased: [], waiting: new Set(['a']) });
  expect(w.ofType('refill')).toHaveLength(2);
});
