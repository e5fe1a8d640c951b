import { expect, test } from '@jest/globals';
import { leasedOf, resultOf } from '../testing/webhook-fixtures.ts';
import { countAttempt } from './endpoint-figures.ts';

test.each([
  [false, [expect.stringMatching(/:succeeded$/), expect.stringMatching(/:ms\d+$/)]],
  [true, []],
])('an attempt is counted unless it is a test (%s)', (isTest, counted) => {
  const names: string[] = [];
  const leased = leasedOf({ test: isTest, tenantId: 'tnt_a' });
  countAttempt({ add: (tenantId, name) => void (tenantId === 'tnt_a' && names.push(name)) }, resultOf(leased, 'succeeded'));
  expect(names).toEqual(counted);
});
