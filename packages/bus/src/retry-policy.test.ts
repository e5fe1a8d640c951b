import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { consumerActionOf, errorCodes } from '@parcelway/kernel/error-codes';
import fc from 'fast-check';
import { MAX_TRIES, pauseAfter, verdictOn } from './retry-policy.ts';

describe('retry policy', () => {
  test('an outage, however long, does not use up the tries of a defect', () => {
    expect(verdictOn(new AppError('50000'), { all: 1000, defects: 1 }, 0.5).action).toBe('retry');
  });

  test('a pause lies between half its ceiling and its ceiling, and never above 30 s', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (tries, random) => {
        const pause = pauseAfter(tries, random);
        const ceiling = Math.min(30_000, 200 * 2 ** (tries - 1));
        return pause >= ceiling / 2 && pause <= ceiling;
      }),
    );
  });

  test.each(errorCodes)('%s is treated as the catalogue says', (code) => {
    const verdicts = [1, MAX_TRIES - 1, MAX_TRIES, 1000].map(
      (tries) => verdictOn(new AppError(code), { all: tries, defects: tries }, 0.5).action,
    );
    const expected = {
      retry: ['retry', 'retry', 'retry', 'retry'],
      'retry-then-dead-letter': ['retry', 'retry', 'dead-letter', 'dead-letter'],
      'dead-letter': ['dead-letter', 'dead-letter', 'dead-letter', 'dead-letter'],
    }[consumerActionOf[code]];
    expect(verdicts).toEqual(expected);
  });
});
