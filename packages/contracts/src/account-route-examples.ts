import type { AuditEntry, FailedCall, UsageDay } from './activity-api.ts';
import type { ConsoleLink, ConsoleLinkCreation, ConsoleSession } from './console-api.ts';
import { EXAMPLE_BASE_URL, exampleParcel } from './example-parcel.ts';
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

const cancelled: AuditEntry = {
  entry_id: 'aud_0193b4f21c007a1b8c2d9e3f4a5b6c7d',
  time: '2025-11-24T08:03:00.412+00:00',
  action: 'forecast.cancelled',
  actor: { type: 'key', id: key.key_id, address: '203.0.113.7', session: 'session' },
  resource: { type: 'forecast', id: exampleParcel.poNumber },
  outcome: 'success',
  request_id: 'req_0193b4f21bf37a1b8c2d9e3f4a5b6c7d',
};
const keyCreated: AuditEntry = {
  ...cancelled,
  entry_id: 'aud_0193a5b3e1f07a1b8c2d9e3f4a5b6c7d',
  time: '2025-11-21T08:03:00.000+00:00',
  action: 'key.created',
  actor: { type: 'key', id: own.key_id, address: '203.0.113.7' },
  resource: { type: 'key', id: key.key_id },
  request_id: 'req_0193a5b3e1e07a1b8c2d9e3f4a5b6c7d',
};
const refused: FailedCall = {
  request_id: 'req_0193b4f3a0c07a1b8c2d9e3f4a5b6c7d',
  time: '2025-11-24T08:04:41.002+00:00',
  method: 'POST',
  route: '/open/v1/forecasts',
  path: '/open/v1/forecasts',
  status: 422,
  code: '42201',
  message: 'due_date must be a date, such as 2025-11-30',
  data: { errors: [{ field: 'due_date', rule: 'format', message: 'due_date must be a date, such as 2025-11-30' }] },
  key_id: key.key_id,
  duration_ms: 4,
};
const amounts = {
  calls: 1284,
  failed_calls: 3,
  parcels: 412,
  events: 1630,
  files: 415,
  stored_bytes: 38_211_904,
  storage: { files: 2960, bytes: 271_104_512 },
};
const none = { calls: 0, failed_calls: 0, parcels: 0, events: 0, files: 0, stored_bytes: 0 };
const days: UsageDay[] = [
  { date: '2025-11-23', ...none, storage: { files: 2960, bytes: 271_104_512 } },
  { date: '2025-11-24', ...amounts },
];

const token = 'pfs_s1.0wZf2kQx.q3Yc1vN0sT8hL4mRdCfGjPzA1eU5uNiXo7bKwQ2tVyHn6MpSgJlEaDr';
const session: ConsoleSession = { token, key_id: key.key_id, expires_at: '2025-11-24T16:03:00.000+00:00' };
const reader: ConsoleLinkCreation = {};
const operations: ConsoleLinkCreation = {
  scopes: ['forecasts:write', 'files:write', 'weighing:read', 'tracking:read'],
  expires_in_seconds: 900,
};
const link: ConsoleLink = {
  url: `${EXAMPLE_BASE_URL}/console#link=${token}`,
  key_id: key.key_id,
  scopes: ['weighing:read', 'tracking:read'],
  expires_at: '2025-11-24T09:03:00.000+00:00',
  warnings: [],
};

/** Parameters of these routes → example. */
export const accountParameterExamples: Readonly<Record<string, string>> = {
  key_id: key.key_id,
  action: 'key.created',
  request_id: refused.request_id,
  code: '42201',
  from_date: '2025-11-23',
  to_date: '2025-11-24',
};

/** Route id → example, of the routes of keys, of what they did, and of the console. */
export const accountRouteExamples: Readonly<Record<string, RouteExample>> = {
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
  listAuditLog: { requests: {}, data: { entries: [cancelled, keyCreated], next_cursor: null } },
  listFailedCalls: { requests: {}, data: { requests: [refused], next_cursor: null } },
  getUsage: { requests: {}, data: { days, total: amounts } },
  createConsoleSession: { requests: {}, data: session },
  createConsoleLink: { requests: { reader, operations }, data: link },
};
