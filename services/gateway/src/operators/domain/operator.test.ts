import { expect, test } from '@jest/globals';
import { KEY_RANDOM_BYTES } from '../../proxy/domain/api-key.ts';
import { composeOperatorToken, isPlausibleToken, mayAct, type OperatorRecord, operatorState } from './operator.ts';

const record: OperatorRecord = {
  name: 'li',
  role: 'support',
  hash: 'hash',
  createdAt: Date.parse('2026-11-21T08:00:00Z'),
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
};

test('a role may do what the roles before it may', () => {
  const may = (['read', 'support', 'admin'] as const).map((role) =>
    (['read', 'support', 'admin'] as const).map((needed) => mayAct(role, needed)),
  );
  expect(may).toEqual([
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ]);
});

test('a token works until the instant of its expiry or its revocation', () => {
  expect(operatorState(record, 1)).toBe('active');
  expect(operatorState({ ...record, expiresAt: 10 }, 9)).toBe('active');
  expect(operatorState({ ...record, expiresAt: 10 }, 10)).toBe('expired');
  expect(operatorState({ ...record, revokedAt: 5, expiresAt: 10 }, 20)).toBe('revoked');
});

test('a token has a checksum, so that an invention is known as such', () => {
  const token = composeOperatorToken(new Uint8Array(KEY_RANDOM_BYTES).fill(7));
  expect(token).toMatch(/^pfo_[A-Za-z0-9_-]{38}$/);
  expect(isPlausibleToken(token)).toBe(true);
  for (const wrong of [`${token}a`, token.slice(1), token.replace('pfo_B', 'pfo_C'), `pf_test_${token.slice(4)}`, ''])
    expect([wrong, isPlausibleToken(wrong)]).toEqual([wrong, false]);
  expect(() => composeOperatorToken(new Uint8Array(3))).toThrow('24 random bytes');
});
