import { describe, expect, test } from '@jest/globals';
import { tenantScopes, warehouseScopes } from '@parcelway/contracts/scopes';
import type { KeyRecord } from '../../proxy/domain/key.ts';
import { sampleKey } from '../../testing/sample-key.ts';
import { canonicalAddresses, defaultScopesOf, expiryErrors, foreignScopeErrors, grantErrors, keyState, rotated } from './key-rules.ts';
import { endsManaging, hasHigherRate, isManager, looseningFields } from './own-key-rules.ts';

const tenant = { kind: 'tenant', tenantId: 'tnt_1' } as const;
const warehouse = { kind: 'warehouse', warehouseCode: 'W1' } as const;
const keyOf = (given: Partial<KeyRecord> = {}): KeyRecord =>
  sampleKey({
    scopes: ['weighing:read', 'keys:manage'],
    rateLimit: { perSecond: 5, burst: 9 },
    description: 'ERP',
    lastUsedAt: 1500,
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
  });

  test('of another kind of holder are refused, the first of them by name', () => {
    expect(foreignScopeErrors(['warehouse:write'], warehouse)).toEqual([]);
    expect(foreignScopeErrors([...tenantScopes], tenant)).toEqual([]);
    expect(foreignScopeErrors(['files:write', 'warehouse:write', 'warehouse:read'], tenant)).toMatchObject([
      { field: 'scopes[1]', rule: 'enum' },
    ]);
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

const DAY_MS = 86_400_000;

test.each([
  [null, null, false],
  ['off', 'off', false],
  ['off', null, true],
  [null, 'off', false],
  [{ perSecond: 9, burst: 9 }, 'off', false],
  [{ perSecond: 1, burst: 1 }, null, false],
  // The default lets 2 a second through of batches, 20 at once.
  [{ perSecond: 3, burst: 1 }, null, true],
  [{ perSecond: 2, burst: 21 }, null, true],
  [null, { perSecond: 20, burst: 200 }, false],
  [null, { perSecond: 19, burst: 200 }, true],
  [{ perSecond: 5, burst: 9 }, { perSecond: 5, burst: 9 }, false],
  [{ perSecond: 5, burst: 10 }, { perSecond: 6, burst: 9 }, true],
] as const)('a key with the limit %p beside one with %p has a higher rate: %p', (rateLimit, ofCaller, isHigher) => {
  expect(hasHigherRate({ rateLimit }, { rateLimit: ofCaller })).toBe(isHigher);
});

describe('a change tightens a key', () => {
  const limited = keyOf({ expiresAt: 9000, allowedAddresses: ['10.0.0.0/8', '2001:db8::1'] });

  test.each([
    {},
    { scopes: ['keys:manage'], expiresAt: 8999, allowedAddresses: ['10.1.0.0/16', '2001:db8::1'] },
    { expiresAt: 9000, description: 'ERP', allowedAddresses: ['10.0.0.0/8'] },
  ] as const)('with %p', (changes) => expect(looseningFields(changes, limited)).toEqual([]));

  test.each([{ allowedAddresses: [] }, { allowedAddresses: ['10.0.0.0/8'] }, { expiresAt: 9000 }, { expiresAt: null }])(
    'that had no limit with %p',
    (changes) => expect(looseningFields(changes, keyOf())).toEqual([]),
  );

  test.each([
    [{ scopes: ['weighing:read', 'files:write'] }, 'scopes'],
    [{ expiresAt: 9001 }, 'expires_at'],
    [{ expiresAt: null }, 'expires_at'],
    [{ description: '' }, 'description'],
    [{ allowedAddresses: [] }, 'allowed_addresses'],
    [{ allowedAddresses: ['10.0.0.0/7'] }, 'allowed_addresses'],
    [{ allowedAddresses: ['10.1.1.1', '192.0.2.1'] }, 'allowed_addresses'],
    [{ allowedAddresses: ['2001:db8::/32'] }, 'allowed_addresses'],
    [{ allowedAddresses: ['no address'] }, 'allowed_addresses'],
  ] as const)('but not with %p', (changes, field) => expect(looseningFields(changes, limited)).toEqual([field]));
});

test.each([
  [{}, true],
  [{ expiresAt: 5001 + DAY_MS }, true],
  [{ expiresAt: 5000 + DAY_MS }, false],
  [{ scopes: ['weighing:read'] as const }, false],
])('a key with %p goes on to manage keys: %p', (given, expected) => expect(isManager(keyOf(given), 5000)).toBe(expected));

test.each([
  [{}, null, false],
  [{ scopes: ['weighing:read'] }, null, true],
  [{ scopes: ['keys:manage'] }, null, false],
  [{ expiresAt: 5001 + DAY_MS }, null, false],
  [{ expiresAt: 5000 + DAY_MS }, null, true],
  [{ expiresAt: 6000 }, 7000, true],
  [{ expiresAt: null }, 7000, false],
  // A key that ends soon anyway and works longer afterwards.
  [{ expiresAt: 8000 }, 7000, false],
] as const)('a key that changes itself by %p, of which the expiry is %p, ends its managing: %p', (changes, expiresAt, expected) => {
  expect(endsManaging(changes, keyOf({ expiresAt }), 5000)).toBe(expected);
});
