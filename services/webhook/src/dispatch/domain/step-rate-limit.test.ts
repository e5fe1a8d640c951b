import { expect, test } from '@jest/globals';
import { world } from '../../testing/step-world.ts';

test('without a rate limit nobody is asked', () => {
  const w = world();
  w.lease('a', 1);
  expect([w.ofType('take_token'), w.started()]).toEqual([[], ['a']]);
});

test('each attempt of a limited lane takes a token, and starts when it is there', () => {
  const w = world();
  const lane = w.lease('a', 2, { rateLimit: 25 });
  expect([w.ofType('take_token'), w.started()]).toEqual([[{ type: 'take_token', lane, perSecond: 25 }], []]);
  w.on({ type: 'token_decided', lane, allowed: true, waitMs: 0 });
  expect([w.ofType('take_token').length, w.started()]).toEqual([2, ['a']]);
  w.on({ type: 'token_decided', lane, allowed: true, waitMs: 0 });
  expect([w.ofType('take_token').length, w.started(), lane.token]).toEqual([2, ['a', 'a'], 'none']);
});

test('a lane without a token waits as long as the limiter says, and then asks again', () => {
  const w = world();
  const lane = w.lease('a', 1, { rateLimit: 1 });
  w.on({ type: 'token_decided', lane, allowed: false, waitMs: 700 });
  expect(lane.token).toBe('awaited');
  w.pass(699);
  expect(w.ofType('take_token')).toHaveLength(1);
  w.pass(1);
  expect(w.ofType('take_token')).toHaveLength(2);
  w.on({ type: 'token_decided', lane, allowed: true, waitMs: 0 });
  expect(w.started()).toEqual(['a']);
});

test('a token that starts nothing is kept for the next attempt', () => {
  const w = world();
  const lane = w.lease('a', 1, { rateLimit: 1 });
  // Its lease runs out while the token is waited for.
  w.pass(50_000);
  w.on({ type: 'token_decided', lane, allowed: true, waitMs: 0 });
  expect([w.started().length, lane.token, w.ofType('release').length]).toEqual([0, 'there', 1]);
  w.lease('a', 1, { rateLimit: 1 });
  expect([w.started(), w.ofType('take_token').length, lane.token]).toEqual([['a'], 1, 'none']);
});
