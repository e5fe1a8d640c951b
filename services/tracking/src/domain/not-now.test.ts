import { expect, test } from '@jest/globals';
import { NotNow } from './not-now.ts';

test('says why and until when, and lets another source be asked by default', () => {
  const notNow = new NotNow(5, 'the rate');
  expect(notNow).toMatchObject({ name: 'NotNow', until: 5, maySkip: true, message: 'The source is not asked now: the rate' });
  expect(notNow).toBeInstanceOf(Error);
  expect(new NotNow(5, 'fresh', { maySkip: false }).maySkip).toBe(false);
});
