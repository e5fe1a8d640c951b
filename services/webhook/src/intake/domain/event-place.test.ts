import { expect, test } from '@jest/globals';
import { misplaced } from './event-place.ts';

test.each(['after', 'cursor'] as const)('a wrong place names %s', (field) => {
  expect(misplaced(field)).toMatchObject({
    code: '42201',
    data: { errors: [{ field, rule: 'format', message: `${field} must be the next_cursor of an earlier response` }] },
  });
});
