import { expect, test } from '@jest/globals';
import { ruleOf } from './schema-words.ts';

test.each([
  [{ minimum: 1, maximum: 1000 }, '1 to 1,000'],
  [{ minimum: 0 }, 'at least 0'],
  [{ exclusiveMinimum: 0, maximum: 10 }, 'more than 0 to 10'],
  [{ exclusiveMinimum: 0 }, 'more than 0'],
  [{ maximum: 10 }, 'at most 10'],
  [{}, ''],
])('of a number with the bounds %j it says "%s"', (schema, words) => {
  expect(ruleOf({ type: 'number', ...schema })).toBe(words);
});
