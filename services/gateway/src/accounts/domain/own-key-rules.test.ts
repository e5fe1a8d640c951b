import { describe, expect, test } from '@jest/globals';
import type { KeyRecord } from '../../edge/domain/key.ts';
import {
  dayBefore,
  endsManaging,
  hasHigherRate,
  isLater,
  isManager,
  lackedScopes,
  looseningFields,
  MAX_KEYS_PER_DAY,
  nextCreationAt,
} from './own-key-rules.ts';

const DAY_MS = 86_400_000;
const keyOf = (given: Partial<KeyRecord> = {}): KeyRecord => ({
  keyId: 'key_1',
  prefix: 'pf_test_abcd',
  hash: 'hash 1',
  holder: { kind: 'tenant', tenantId: 'tnt_1' },
  scopes: ['weighing:read', 'keys:manage'],
  rateLimit: null,
  description: 'ERP',
  allowedAddresses: [],
  createdAt: 1000,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  createdBy: null,
  rotatedFrom: null,
  rotatedTo: null,
  version: 0,
  ...given,
});

test('the scopes of a key that the calling one lacks', () => {
  expect(lackedScopes(keyOf(), keyOf({ scopes: ['keys:manage', 'files:write'] }))).toEqual(['weighing:read']);
  expect(lackedScopes(keyOf(), keyOf())).toEqual([]);
});

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

test.each([
  [undefined, 5, false],
  [5, 5, false],
  [4, 5, false],
  [6, 5, true],
  [null, 5, true],
  [null, null, false],
  [6, null, false],
] as const)('an expiry at %p is later than %p: %p', (expiresAt, before, expected) => {
  expect(isLater(expiresAt, { expiresAt: before })).toBe(expected);
});

describe('a change tightens a key', () => {
  const limited = keyOf({ expiresAt: 9000, allowedAddresses: ['10.0.0.0/8', '2001:db8::1'] });

  test.each([
    {},
    { scopes: ['keys:manage'], expiresAt: 8999, allowedAddresses: ['10.1.0.0/16', '2001:db8::1'] },
    { expiresAt: 9000, description: 'ERP', allowedAddresses: ['10.0.0.0/8'] },
  ] as const)('with %p', (changes) => expect(looseningFields(changes, limited)).toEqual([]));

  test('with addresses where it had none, and with none as before', () => {
    for (const allowedAddresses of [[], ['10.0.0.0/8']]) expect(looseningFields({ allowedAddresses }, keyOf())).toEqual([]);
  });

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

test('a tenant may create a key again a day after the oldest of as many as a day allows', () => {
  const created = Array.from({ length: MAX_KEYS_PER_DAY }, (_, index) => 9000 - index);
  expect(nextCreationAt(created.slice(1))).toBeUndefined();
  const next = nextCreationAt(created);
  expect(next).toBe(9000 - (MAX_KEYS_PER_DAY - 1) + DAY_MS);
  // At that instant the oldest one does not count any more.
  expect(dayBefore(Number(next))).toBe(created.at(-1));
});
