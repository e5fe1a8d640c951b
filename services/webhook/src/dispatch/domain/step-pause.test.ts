import { expect, test } from '@jest/globals';
import { world } from '../../testing/step-world.ts';
import { T0 } from '../../testing/webhook-fixtures.ts';

const slowed = (seconds: number) => ({ slowedUntil: T0 + seconds * 1000 });

test('a lane goes on when its pause ends, and sets no second timer for that', () => {
  const w = world();
  const slow = w.lease('a', 1, slowed(2));
  w.lease('a', 1, slowed(2));
  expect(w.timers()).toHaveLength(1);
  w.pass(1999);
  expect(w.started()).toEqual([]);
  w.pass(1);
  expect(w.started()).toEqual(['a', 'a']);
  expect(slow.resumesAt).toBe(0);
});

test('a pause without anything that waits sets no timer, nor does a lane that waits for its token', () => {
  const w = world();
  const slow = w.lease('a', 0, slowed(2));
  expect([w.timers(), slow]).toEqual([[], undefined]);
  const busy = w.lease('b', 1, { rateLimit: 1 });
  w.lease('b', 1, { rateLimit: 1 });
  expect([w.timers(), busy.resumesAt, busy.token]).toEqual([[], 0, 'awaited']);
});

test('a pause that has become shorter ends earlier, and the timer of the longer one does nothing', () => {
  const w = world();
  const slow = w.lease('a', 1, slowed(5));
  slow.noteSlowdown(T0 + 3000);
  w.lease('a', 1, slowed(3));
  expect(slow.resumesAt).toBe(T0 + 3000);
  w.pass(3000);
  expect(w.started()).toEqual(['a', 'a']);
  w.pass(2000);
  expect([w.started().length, slow.resumesAt]).toEqual([2, 0]);
});

test('the timer of a pause leaves that of a shorter one alone', () => {
  const w = world();
  const slow = w.lease('a', 1, slowed(5));
  w.pass(4000);
  slow.noteSlowdown(T0 + 4500);
  w.lease('a', 1, slowed(4.5));
  slow.noteSlowdown(T0 + 9000);
  w.pass(500);
  // The shorter one is over, and a further one has begun: it waits for that.
  expect([w.started().length, slow.resumesAt]).toEqual([0, T0 + 9000]);
  w.pass(500);
  expect([w.started().length, slow.resumesAt, w.timers().length]).toEqual([0, T0 + 9000, 1]);
  w.pass(4000);
  expect(w.started()).toEqual(['a', 'a']);
});
