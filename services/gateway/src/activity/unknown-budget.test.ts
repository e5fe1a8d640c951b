import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { UnknownBudget } from './unknown-budget.ts';

const owner = { tenantId: 'tnt_1', keyId: 'key_1' };
const other = { ...owner, keyId: 'key_2' };
const refusal = (seconds: number) =>
  expect.objectContaining({ code: '42901', retryAfterSeconds: seconds, data: { retry_after_seconds: seconds } });

function setUp(used: number) {
  const clock = new ManualClock(1000);
  const budget = new UnknownBudget(clock);
  for (let count = 0; count < used; count += 1) budget.take(owner);
  return { clock, budget };
}

test('a key leaves 100 entries of its tenant and 10 of its own, then waits', () => {
  const { clock, budget } = setUp(109);
  budget.take(owner);
  expect(() => budget.take(owner)).toThrow(refusal(20));
  clock.advance(19_999);
  expect(() => budget.take(owner)).toThrow(refusal(1));
  clock.advance(1);
  budget.take(owner);
  expect(() => budget.take(owner)).toThrow(refusal(20));
});

test('another key of the tenant, and another tenant, go on', () => {
  const { budget } = setUp(110);
  for (let count = 0; count < 10; count += 1) budget.take(other);
  expect(() => budget.take(other)).toThrow(refusal(20));
  budget.take({ tenantId: 'tnt_2', keyId: 'key_3' });
});

test('changes under way together have no more than is left, and what became known makes room', () => {
  const { clock, budget } = setUp(110);
  clock.advance(40_000);
  const places = [budget.take(owner), budget.take(owner)];
  expect(() => budget.take(owner)).toThrow(refusal(20));
  for (const place of places) place.giveBack();
  budget.take(owner);
  budget.take(owner);
  expect(() => budget.take(owner)).toThrow(refusal(20));
});

test("a key's own places are given back to the key, and come back in ten minutes each", () => {
  const { clock, budget } = setUp(100);
  const place = budget.take(owner);
  for (let count = 0; count < 9; count += 1) budget.take(owner);
  for (let count = 0; count < 10; count += 1) budget.take(other);
  place.giveBack();
  budget.take(owner);
  expect(() => budget.take(owner)).toThrow(refusal(20));
  clock.advance(600_000);
  // The tenant has 30 again, and each key one.
  for (let count = 0; count < 31; count += 1) budget.take(owner);
  expect(() => budget.take(owner)).toThrow(refusal(20));
  budget.take(other);
  expect(() => budget.take(other)).toThrow(refusal(20));
});
