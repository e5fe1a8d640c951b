import { expect, test } from '@jest/globals';
import { completeKey } from './key.ts';

const former = {
  keyId: 'key_1',
  prefix: 'pf_test_abcd',
  hash: 'hash',
  holder: { kind: 'warehouse', warehouseCode: 'W1' },
  scopes: ['warehouse:write'],
  rateLimit: 'off',
  description: '',
  createdAt: 1,
  expiresAt: 2,
  revokedAt: null,
  lastUsedAt: 3,
} as const;

test('a record of an older release does not say from where the key may be used', () => {
  expect(completeKey(former)).toBeUndefined();
  expect(completeKey({ ...former, version: 4 })).toBeUndefined();
});

test('what else a record lacks is that of a key that was never changed', () => {
  const key = { ...former, allowedAddresses: [] };
  expect(completeKey(key)).toEqual({ ...key, createdBy: null, rotatedFrom: null, rotatedTo: null, version: 0 });
});

test('what a record has stays', () => {
  const known = { allowedAddresses: ['::1'], createdBy: 'key_0', rotatedFrom: 'key_8', rotatedTo: 'key_9', version: 4 };
  expect(completeKey({ ...former, ...known })).toEqual({ ...former, ...known });
});
