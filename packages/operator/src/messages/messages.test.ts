import { expect, test } from '@jest/globals';
import { ApiFailure } from '@parcelway/page/api/failure';
import { failureText } from './failure-text.ts';
import { words } from './words.ts';

const { en } = words;

test('a refusal names the role that is needed', () => {
  const failure = new ApiFailure('40301', { detail: 'x', data: { required_role: 'admin', role: 'read' } });
  expect(failureText(failure, en)).toContain('It needs the role admin');
  expect(failureText(new ApiFailure('40902', { detail: 'The name li is taken' }), en)).toContain('The name li is taken');
  expect(failureText(new ApiFailure('40402', { detail: 'x' }), en)).toBe('The request failed. 40402 x');
});
