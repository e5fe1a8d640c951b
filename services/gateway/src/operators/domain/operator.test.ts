import { expect, test } from '@jest/globals';
import { mayAct } from './operator.ts';

test('a role may do what the roles before it may', () => {
  const roles = ['read', 'support', 'admin'] as const;
  expect(roles.map((role) => roles.map((needed) => mayAct(role, needed)))).toEqual([
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ]);
});
