import { describe, expect, test } from '@jest/globals';
import { DEFAULT_RATES, rateRuleOf } from './rate-limits.ts';

describe('the limit of a key', () => {
  test('is the published one of the class unless it has its own', () => {
    expect(rateRuleOf({ rateLimit: null }, 'standard')).toEqual({ perSecond: 20, burst: 200 });
    expect(rateRuleOf({ rateLimit: null }, 'upload')).toEqual({ perSecond: 5, burst: 50 });
    expect(rateRuleOf({ rateLimit: null }, 'tracking')).toEqual({ perSecond: 10, burst: 100 });
    expect(rateRuleOf({ rateLimit: null }, 'tracking')).toBe(DEFAULT_RATES.tracking);
  });

  test('of its own holds for every class, and may be off', () => {
    const rateLimit = { perSecond: 1, burst: 2 };
    expect(rateRuleOf({ rateLimit }, 'upload')).toEqual(rateLimit);
    expect(rateRuleOf({ rateLimit: 'off' }, 'standard')).toBeNull();
  });
});
