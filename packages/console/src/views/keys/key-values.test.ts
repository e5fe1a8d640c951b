import { describe, expect, test } from '@jest/globals';
import { OVERLAP_SECONDS, type TenantKey } from '@parcelway/contracts/key-api';
import { tenantScopes } from '@parcelway/contracts/scopes';
import { changeOfKey, creationOfKey, offeredScopes, overlaps, scopes, valuesOfKey } from './key-values.ts';

test('scopes and overlaps are those of the contract', () => {
  expect(scopes).toEqual([...tenantScopes]);
  expect([overlaps[0], Math.max(...overlaps)]).toEqual([OVERLAP_SECONDS.standard, OVERLAP_SECONDS.most]);
});

test('a form offers what the calling key has, and for a change what the key has already', () => {
  expect(offeredScopes(['weighing:read', 'keys:manage'], undefined)).toEqual(['weighing:read', 'keys:manage']);
  expect(offeredScopes(['weighing:read', 'keys:manage'], ['weighing:read', 'tracking:read'])).toEqual(['weighing:read']);
});

test('a new key has no scope that nobody has chosen', () => {
  expect(valuesOfKey(undefined).scopes).toEqual([]);
});

const key = {
  description: 'Shop',
  scopes: ['forecasts:write', 'weighing:read'],
  expires_at: null,
  allowed_addresses: ['192.0.2.1', '198.51.100.0/24'],
} as unknown as TenantKey;

describe('the body', () => {
  test('of a new key has its expiry as an instant and one address for each that is typed', () => {
    const body = creationOfKey({
      description: ' Shop ',
      scopes: ['weighing:read'],
      expiresAt: '2027-01-02T03:04',
      addresses: '192.0.2.1,\n 192.0.2.2\n',
    });
    expect(body).toEqual({
      description: 'Shop',
      scopes: ['weighing:read'],
      expires_at: new Date('2027-01-02T03:04').toISOString(),
      allowed_addresses: ['192.0.2.1', '192.0.2.2'],
    });
  });

  test('of a new key that never expires has no expiry', () => {
    expect(creationOfKey({ description: 'x', scopes: [], expiresAt: '', addresses: '' })).not.toHaveProperty('expires_at');
  });

  test('of a change has only what is different', () => {
    const values = valuesOfKey(key);
    expect(changeOfKey(values, key)).toEqual({});
    expect(changeOfKey({ ...values, addresses: '', scopes: ['weighing:read'] }, key)).toEqual({
      scopes: ['weighing:read'],
      allowed_addresses: [],
    });
    const expiring = { ...key, expires_at: '2027-01-02T03:04:00.000Z' };
    expect(changeOfKey({ ...valuesOfKey(expiring), expiresAt: '' }, expiring)).toEqual({ expires_at: null });
  });
});
