import { describe, expect, test } from '@jest/globals';
import type { KeyRecord } from './key.ts';
import { DEFAULT_RATES, rateRuleOf } from './rate-limits.ts';

const record = (given: Partial<KeyRecord> = {}): KeyRecord => ({
  keyId: 'key_1',
  prefix: 'pf_test_abcd',
  hash: 'hash',
  holder: { kind: 'tenant', tenantId: 'tnt_1' },
  scopes: ['weighing:read', 'files:write'],
  rateLimit: null,
  description: '',
  createdAt: 0,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  ...given,
});

describe('the limit of a key', () => {
  test('is the published one of the class unless it has its own', () => {
    expect(rateRuleOf(record(), 'standard')).toEqual({ perSecond: 20, burst: 200 });
    expect(rateRuleOf(record(), 'upload')).toEqual({ perSecond: 5, burst: 50 });
    expect(rateRuleOf(record(), 'tracking')).toEqual({ perSecond: 10, burst: 100 });
    expect(rateRuleOf(record(), 'tracking')).toBe(DEFAULT_RATES.tracking);
  });

  test('of its own holds for every class, and may be off', () => {
    const rateLimit = { perSecond: 1, burst: 2 };
    expect(rateRuleOf(record({ rateLimit }), 'upload')).toEqual(rateLimit);
    expect(rateRuleOf(record({ rateLimit: 'off' }), 'standard')).toBeNull();
  });
});
