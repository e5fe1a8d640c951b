import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { UnknownBudget } from './unknown-budget.ts';

const owner = { tenantId: 'tnt_1', keyId: 'key_1' };
const refusal = (seconds: number) =>
  expect.objectContaining({ code: '42901', retryAfterSeconds: seconds, data: { retry_after_seconds: seconds } });

function setUp(used: number) {
  const clock = new ManualClock(1000);
  const budget = new UnknownBudget(clock);
  for (let count = 0; count < used; count += 1) budget.note(owner);
  return { clock, budget };
}

test('a key leaves 100 entries of its tenant and 10 of its own, then waits', () => {
  const { clock, budget } = setUp(109);
  budget.assertRoom(owner);
  budget.note(owner);
  expect(() => budget.assertRoom(owner)).toThrow(refusal(20));
  clock.advance(19_999);
  expect(() => budget.assertRoom(owner)).toThrow(refusal(1));
  clock.advance(1);
  budget.assertRoom(owner);
  budget.note(owner);
  expect(() => budget.assertRoom(owner)).toThrow(refusal(20));
});

test('another key of the tenant, and another tenant, go on', () => {
  const { budget } = setUp(110);
  const other = { ...owner, keyId: 'key_2' };
  for (let count = 0; count < 10; count += 1) {
    budget.assertRoom(other);
    budget.note(other);
  }
  expect(() => budget.assertRoom(other)).toThrow(refusal(20));
  budget.assertRoom({ tenantId: 'tnt_2', keyId: 'key_3' });
});

test('what requests under way together overdraw is paid back, as far as a full bucket', () => {
  const { clock, budget } = setUp(200);
  clock.advance(20_000);
  budget.assertRoom(owner);
  budget.note(owner);
  // The key owes as much as it may; the tenant has its next one first.
  expect(() => budget.assertRoom(owner)).toThrow(refusal(20));
});
