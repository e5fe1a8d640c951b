import { expect, test } from '@jest/globals';
import { NumberLimits } from './number-limits.ts';

test('a limit holds for what is counted and for what was accepted since, of its tenant alone', () => {
  const limits = new NumberLimits();
  const room = (numbers: number, tenantId = 'tnt_a') => limits.refusals(tenantId, numbers).length === 0;
  expect(room(1_000_000)).toBe(true);
  const counted = (unseen: number) => limits.take(new Map([['tnt_a', { unseen, limit: 10 }]]));
  counted(7);
  expect([room(3), room(4), room(0), room(4, 'tnt_b')]).toEqual([true, false, true, true]);
  const two = limits.reserve('tnt_a');
  expect(two.take(2)).toBeUndefined();
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

test('what is reserved counts until it is given back or the count has grown by it, however late', () => {
  const limits = new NumberLimits();
  const counted = (unseen: number) => limits.take(new Map([['tnt_a', { unseen, limit: 10 }]]));
  const room = () => [...Array(12).keys()].filter((numbers) => limits.refusals('tnt_a', numbers).length === 0).at(-1);
  counted(0);
  const [first, second] = [limits.reserve('tnt_a'), limits.reserve('tnt_a')];
  expect([first.take(6), second.take(6)?.code, second.take(4)]).toEqual([undefined, '42201', undefined]);
  expect(room()).toBe(0);
  // In place of what it had.
  expect([second.take(1), room()]).toEqual([undefined, 3]);
  second.giveBack();
  second.giveBack();
  expect(room()).toBe(4);
  for (let count = 1; count <= 20; count += 1) counted(0);
  expect(room()).toBe(4);
  // A count covers a part, and numbers that were scanned meanwhile free their room.
  counted(4);
  expect(room()).toBe(4);
  counted(1);
  expect(room()).toBe(7);
  counted(3);
  expect(room()).toBe(7);
  expect(first.take(0)).toBeUndefined();
  expect(room()).toBe(7);
});

test('what no count has covered for long counts no longer, and what is held for it is bounded', () => {
  const limits = new NumberLimits();
  const counted = () => limits.take(new Map([['tnt_a', { unseen: 0, limit: 10 }]]));
  counted();
  limits.reserve('tnt_a').take(10);
  for (let count = 1; count < 300; count += 1) counted();
  expect(limits.refusals('tnt_a', 1)).toHaveLength(1);
  counted();
  expect(limits.refusals('tnt_a', 1)).toHaveLength(0);
});
