import { expect, test } from '@jest/globals';
import { auditEndOf } from './audit-entry.ts';

test.each([
  [200, false, 'success'],
  [202, false, 'success'],
  [200, true, 'refused'],
  [404, false, 'refused'],
  [422, false, 'refused'],
  [429, false, 'refused'],
  [499, false, 'unknown'],
  [500, false, 'unknown'],
  [503, false, 'unknown'],
])('a response with %i, repeated: %s, ends an entry as %s', (status, isRepetition, end) => {
  expect(auditEndOf(status, isRepetition)).toBe(end);
});
