import { describe, expect, test } from '@jest/globals';
import type { KeyRecord } from './key.ts';
import { isSessionToken, recordOfSession, sessionFromText, textOfSession } from './session.ts';

const record: KeyRecord = {
  keyId: 'key_1',
  prefix: 'pf_test_abcd',
  hash: 'hash',
  holder: { kind: 'tenant', tenantId: 'tnt_1' },
  scopes: ['forecasts:write', 'weighing:read', 'keys:manage'],
  rateLimit: null,
  description: 'ERP',
  allowedAddresses: ['192.0.2.1'],
  createdAt: 1,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  createdBy: null,
  rotatedFrom: null,
  rotatedTo: null,
  version: 0,
};

describe('a session', () => {
  test('is read as it was written', () => {
    for (const session of [
      { keyHash: 'h', scopes: null, expiresAt: 7 },
      { keyHash: 'h', scopes: ['weighing:read'] as const, expiresAt: 7 },
    ]) {
      expect(sessionFromText(textOfSession(session))).toEqual(session);
    }
    expect(sessionFromText('[2,"h",null,7]')).toBeUndefined();
  });

  test('has what its key has, with fewer scopes, and ends with it', () => {
    const session = { keyHash: 'hash', scopes: ['weighing:read', 'tracking:read'] as const, expiresAt: 100 };
    expect(recordOfSession(record, session)).toEqual({ ...record, scopes: ['weighing:read'], expiresAt: 100 });
    expect(recordOfSession({ ...record, expiresAt: 99 }, session).expiresAt).toBe(99);
    expect(recordOfSession(record, { ...session, scopes: null }).scopes).toEqual(record.scopes);
  });

  test('differs from a key by its shape', () => {
    expect(isSessionToken('pfs_s1.abcd.efgh')).toBe(true);
    for (const other of ['pf_test_x', 'pfs_', 'pfs_s1.abcd', 'pfs_s1.a.b c', `pfs_s1.a.${'x'.repeat(2001)}`])
      expect(isSessionToken(other)).toBe(false);
  });
});
