import { expect, test } from '@jest/globals';
import { FailureLimiter } from './failure-limiter.ts';

test('an address may fail a hundred times at once and then once a second', () => {
  const limiter = new FailureLimiter();
  for (let attempt = 0; attempt < 100; attempt += 1) {
    expect(limiter.retryAfter('a', 0)).toBe(0);
    limiter.fail('a', 0);
  }
  expect(limiter.retryAfter('a', 0)).toBe(1);
  expect(limiter.retryAfter('b', 0)).toBe(0);
  expect(limiter.retryAfter('a', 999)).toBe(1);
  expect(limiter.retryAfter('a', 1000)).toBe(0);
  limiter.fail('a', 1000);
  expect(limiter.retryAfter('a', 1000)).toBe(1);
  // A clock that is set back neither frees nor punishes.
  expect(limiter.retryAfter('a', -5000)).toBe(1);
});

test('forgets the address that failed longest ago first', () => {
  const limiter = new FailureLimiter();
  for (let attempt = 0; attempt < 100; attempt += 1) for (const address of ['old', 'again']) limiter.fail(address, 0);
  for (let address = 0; address < 9_998; address += 1) limiter.fail(String(address), 0);
  expect(limiter.size).toBe(10_000);
  limiter.fail('again', 0);
  limiter.fail('one more', 0);
  expect(limiter.size).toBe(10_000);
  expect([limiter.retryAfter('old', 0), limiter.retryAfter('again', 0)]).toEqual([0, 1]);
});
