import { expect, test } from '@jest/globals';
import { NumberLimits } from './number-limits.ts';

test('a limit holds for what is counted and for what was accepted since, of its tenant alone', () => {
  const limits = new NumberLimits();
  const room = (numbers: number, tenantId = 'tnt_a') => limits.refusals(tenantId, numbers).length === 0;
  expect(room(1_000_000)).toBe(true);
  const counted = (unseen: number) => limits.take(new Map([['tnt_a', { unseen, limit: 10 }]]));
  counted(7);
  expect([room(3), room(4), room(0), room(4, 'tnt_b')]).toEqual([true, false, true, true]);
  limits.add('tnt_a', 2);
  expect([room(1), room(2)]).toEqual([true, false]);
  // The count may be older than what was accepted meanwhile; the second one is not.
  counted(7);
  expect(room(2)).toBe(false);
  counted(9);
  expect([room(1), room(2)]).toEqual([true, false]);
  const [refusal] = limits.refusals('tnt_a', 2);
  expect(refusal).toMatchObject({ code: '42201', data: { errors: [{ field: 'items', rule: 'declared_numbers' }] } });
  expect(JSON.stringify(refusal?.data)).toContain('the limit is 10');
  limits.take(new Map());
  expect(room(100)).toBe(true);
});
