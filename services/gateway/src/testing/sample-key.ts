import type { KeyRecord } from '../proxy/domain/key.ts';

/** A key of the tenant `tnt_a` with the scope `weighing:read`, without limits or expiry. */
export function sampleKey(given: Partial<KeyRecord> = {}): KeyRecord {
  const keyId = given.keyId ?? 'key_1';
  return {
    keyId,
    prefix: 'pf_test_abcd',
    hash: `hash of ${keyId}`,
    holder: { kind: 'tenant', tenantId: 'tnt_a' },
    scopes: ['weighing:read'],
    rateLimit: null,
    description: '',
    createdAt: 1000,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    allowedAddresses: [],
    createdBy: null,
    rotatedFrom: null,
    rotatedTo: null,
    version: 0,
    ...given,
  };
}
