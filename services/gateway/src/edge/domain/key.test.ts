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

test('a key of an older release may be used from everywhere, and was never changed', () => {
  expect(completeKey(former)).toEqual({ ...former, allowedAddresses: [], createdBy: null, rotatedFrom: null, rotatedTo: null, version: 0 });
});

test('what a record has stays', () => {
  const known = { allowedAddresses: ['::1'], createdBy: 'key_0', rotatedFrom: 'key_8', rotatedTo: 'key_9', version: 4 };
  expect(completeKey({ ...former, ...known })).toEqual({ ...former, ...known });
});
