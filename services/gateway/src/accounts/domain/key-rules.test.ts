import { describe, expect, test } from '@jest/globals';
import { tenantScopes, warehouseScopes } from '@parcelway/contracts/scopes';
import type { KeyRecord } from '../../edge/domain/key.ts';
import {
  canonicalAddresses,
  defaultScopesOf,
  expiryErrors,
  foreignScopeErrors,
  grantErrors,
  inheritedScopes,
  keyState,
  rotated,
  shutOutErrors,
} from './key-rules.ts';

const tenant = { kind: 'tenant', tenantId: 'tnt_1' } as const;
const warehouse = { kind: 'warehouse', warehouseCode: 'W1' } as const;
const keyOf = (given: Partial<KeyRecord> = {}): KeyRecord => ({
  keyId: 'key_1',
  prefix: 'pf_test_abcd',
  hash: 'hash 1',
  holder: tenant,
  scopes: ['weighing:read', 'keys:manage'],
  rateLimit: { perSecond: 5, burst: 9 },
  description: 'ERP',
  createdAt: 1000,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: 1500,
  allowedAddresses: [],
  createdBy: null,
  rotatedFrom: null,
  rotatedTo: null,
  version: 0,
  ...given,
});
const TEN_YEARS = 315_360_000_000;

test.each([
  ['active', {}, 5000],
  ['active', { expiresAt: 5001 }, 5000],
  ['expired', { expiresAt: 5000 }, 5000],
  ['revoked', { revokedAt: 4000 }, 5000],
  ['revoked', { revokedAt: 4000, expiresAt: 4500 }, 5000],
] as const)('a key is %s with %p', (state, given, now) => expect(keyState(keyOf(given), now)).toBe(state));

describe('scopes', () => {
  test('that nobody names are all of the holder, without the one that makes keys', () => {
    expect(defaultScopesOf(tenant)).toEqual(tenantScopes.slice(0, -1));
    expect(defaultScopesOf(warehouse)).toEqual(warehouseScopes);
    expect(inheritedScopes(keyOf())).toEqual(['weighing:read']);
  });

  test('of another kind of holder are refused, the first of them by name', () => {
    expect(foreignScopeErrors(['warehouse:write'], warehouse)).toEqual([]);
    expect(foreignScopeErrors([...tenantScopes], tenant)).toEqual([]);
    expect(foreignScopeErrors(['files:write', 'warehouse:write', 'warehouse:read'], tenant)).toMatchObject([
      { field: 'scopes[1]', rule: 'enum' },
    ]);
  });

  test('that the calling key lacks are refused, each by name', () => {
    const errors = grantErrors(['files:write', 'weighing:read', 'tracking:read'], keyOf());
    expect(errors.map(({ field }) => field)).toEqual(['scopes[0]', 'scopes[2]']);
    expect(errors[0]?.message).toBe('scopes[0] must be a scope that the calling key has: weighing:read, keys:manage');
  });

  test('of a changed key never grow, whatever the calling key has', () => {
    const caller = keyOf({ scopes: ['keys:manage', 'weighing:read', 'files:write'] });
    const changed = keyOf({ scopes: ['weighing:read', 'tracking:read'] });
    expect(grantErrors(['weighing:read'], caller, changed)).toEqual([]);
    expect(grantErrors(['files:write', 'tracking:read'], caller, changed).map(({ field }) => field)).toEqual(['scopes[0]', 'scopes[1]']);
    expect(grantErrors(['files:write'], keyOf(), keyOf({ scopes: ['tracking:read'] }))[0]?.message).toMatch(/: there is none$/);
  });
});

test.each([
  [5000, 'minimum'],
  [5001, undefined],
  [5000 + TEN_YEARS, undefined],
  [5001 + TEN_YEARS, 'maximum'],
])('an expiry at %p, asked for at 5000, breaks the rule %p', (expiresAt, rule) => {
  expect(expiryErrors(expiresAt, 5000).map((error) => error.rule)).toEqual(rule === undefined ? [] : [rule]);
});

test('addresses are kept in one spelling, each once', () => {
  expect(canonicalAddresses(['10.1.2.3/8', '10.0.0.0/8', '192.0.2.1/32', '::FFFF:192.0.2.1', '2001:DB8::/32'])).toEqual([
    '10.0.0.0/8',
    '192.0.2.1',
    '2001:db8::/32',
  ]);
});

test('a key does not shut itself out', () => {
  expect(shutOutErrors([], '192.0.2.1')).toEqual([]);
  expect(shutOutErrors(['192.0.2.0/24'], '192.0.2.1')).toEqual([]);
  expect(shutOutErrors(['192.0.2.0/24'], '198.51.100.1')).toMatchObject([
    { field: 'allowed_addresses', rule: 'own_address', message: expect.stringContaining('198.51.100.1') },
  ]);
});

describe('a rotation', () => {
  const identity = { keyId: 'key_2', prefix: 'pf_test_efgh', hash: 'hash 2', createdBy: 'key_9' };

  test('makes a key with the same settings, and ends the former one after the overlap', () => {
    const key = keyOf({ allowedAddresses: ['192.0.2.1'], version: 3 });
    const { former, successor } = rotated(key, 2000, 5000, identity);
    expect(former).toEqual({ ...key, expiresAt: 7000, rotatedTo: 'key_2', version: 4 });
    expect(successor).toEqual({ ...key, ...identity, createdAt: 5000, lastUsedAt: null, rotatedFrom: 'key_1', version: 0 });
  });

  test('gives the new key a life as long as that of the former one, and never lengthens that', () => {
    const { former, successor } = rotated(keyOf({ expiresAt: 6000 }), 2000, 5000, identity);
    expect([former.expiresAt, successor.expiresAt]).toEqual([6000, 10_000]);
    // A life that was prolonged may be longer than any key is given.
    for (const more of [0, 1])
      expect(rotated(keyOf({ expiresAt: 1000 + TEN_YEARS + more }), 0, 5000, identity).successor.expiresAt).toBe(5000 + TEN_YEARS);
    expect(rotated(keyOf({ expiresAt: 9000 }), 0, 5000, identity).former.expiresAt).toBe(5000);
  });
});
