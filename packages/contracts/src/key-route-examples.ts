import type { KeyChange, KeyCreation, OwnAccess, TenantKey } from './key-api.ts';
import type { RouteExample } from './route-example.ts';
import { defaultTenantScopes } from './scopes.ts';

const key: TenantKey = {
  key_id: 'key_0193a5b3e1f07a1b8c2d9e3f4a5b6c7d',
  prefix: 'pf_test_3kQv',
  description: 'ERP, production line',
  scopes: ['forecasts:write', 'files:write', 'weighing:read'],
  allowed_addresses: ['203.0.113.7', '2001:db8:12::/48'],
  state: 'active',
  create_time: '2025-11-21T08:03:00.000+00:00',
  expires_at: '2026-02-19T08:03:00.000+00:00',
  revoked_at: null,
  last_used_at: '2025-11-24T01:15:00.000+00:00',
  created_by: 'key_0193a5b2d7c07a1b8c2d9e3f4a5b6c7d',
  rotated_from: null,
  rotated_to: null,
};
const own: TenantKey = {
  ...key,
  key_id: String(key.created_by),
  prefix: 'pf_test_Zp8s',
  description: 'Administration',
  scopes: [...defaultTenantScopes, 'keys:manage'],
  allowed_addresses: [],
  expires_at: null,
  created_by: null,
};
const created: TenantKey = { ...key, last_used_at: null };
const successor: TenantKey = {
  ...created,
  key_id: 'key_0193b4f21c007a1b8c2d9e3f4a5b6c7d',
  prefix: 'pf_test_t71N',
  create_time: '2025-11-24T08:03:00.000+00:00',
  expires_at: '2026-02-22T08:03:00.000+00:00',
  rotated_from: key.key_id,
};

const everywhere: KeyCreation = { description: 'Reports, read only', scopes: ['weighing:read', 'tracking:read'] };
const restricted: KeyCreation = {
  description: key.description,
  scopes: ['forecasts:write', 'files:write', 'weighing:read'],
  expires_in_seconds: 7_776_000,
  allowed_addresses: key.allowed_addresses,
};
const addresses: KeyChange = { allowed_addresses: key.allowed_addresses };
const fewerScopes: KeyChange = { scopes: ['weighing:read'] };
const noExpiry: KeyChange = { expires_at: null };
const me: OwnAccess = {
  tenant: { id: 'tnt_0193a5b1c0a07a1b8c2d9e3f4a5b6c7d', name: 'Acme Trading', status: 'active' },
  environment: 'sandbox',
  key: own,
  session: null,
  rate_limits: {
    standard: { per_second: 20, burst: 200 },
    upload: { per_second: 5, burst: 50 },
    tracking: { per_second: 10, burst: 100 },
    batch: { per_second: 2, burst: 20 },
  },
  server_time: '2025-11-24T01:15:03.100+00:00',
};

const withKey = { key: 'pf_test_3kQv9sVn0b2hYw4LxT7mRdCfGjPzA1eU5uNiXo', warnings: [] };

/** Parameters of the routes of keys. */
export const keyParameterExamples: Readonly<Record<string, string>> = { key_id: key.key_id };

/** Route id → example, of the routes of keys. */
export const keyRouteExamples: Readonly<Record<string, RouteExample>> = {
  getOwnAccess: { requests: {}, data: me },
  listKeys: { requests: {}, data: { keys: [key, own], next_cursor: null } },
  createKey: { requests: { everywhere, restricted }, data: { ...created, ...withKey } },
  getKey: { requests: {}, data: key },
  updateKey: { requests: { addresses, fewerScopes, noExpiry }, data: { ...key, warnings: [] } },
  rotateKey: {
    requests: { standard: {}, leaked: { overlap_seconds: 0 } },
    data: {
      ...successor,
      key: 'pf_test_t71N4hXc8Zq0vKe2WmRyPbGdSjTaF9oL6uUiYw',
      former_expires_at: '2025-11-25T08:03:00.000+00:00',
      warnings: [],
    },
  },
  revokeKey: { requests: {}, data: { ...key, state: 'revoked', revoked_at: '2025-11-24T08:03:00.000+00:00' } },
};
