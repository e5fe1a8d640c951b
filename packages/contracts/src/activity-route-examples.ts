import type { AuditEntry, FailedCall, UsageDay } from './activity-api.ts';
import { exampleParcel } from './example-parcel.ts';
import type { RouteExample } from './route-example.ts';

const keyId = 'key_0193a5b3e1f07a1b8c2d9e3f4a5b6c7d';

const cancelled: AuditEntry = {
  entry_id: 'aud_0193b4f21c007a1b8c2d9e3f4a5b6c7d',
  time: '2025-11-24T08:03:00.412+00:00',
  action: 'forecast.cancelled',
  actor: { type: 'key', id: keyId, address: '203.0.113.7', session: 'session' },
  resource: { type: 'forecast', id: exampleParcel.poNumber },
  outcome: 'success',
  request_id: 'req_0193b4f21bf37a1b8c2d9e3f4a5b6c7d',
};
const created: AuditEntry = {
  ...cancelled,
  entry_id: 'aud_0193a5b3e1f07a1b8c2d9e3f4a5b6c7d',
  time: '2025-11-21T08:03:00.000+00:00',
  action: 'key.created',
  actor: { type: 'key', id: 'key_0193a5b2d7c07a1b8c2d9e3f4a5b6c7d', address: '203.0.113.7' },
  resource: { type: 'key', id: keyId },
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
  key_id: keyId,
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

/** Parameters of the routes of what keys did. */
export const activityParameterExamples: Readonly<Record<string, string>> = {
  action: 'key.created',
  request_id: refused.request_id,
  code: '42201',
  from_date: '2025-11-23',
  to_date: '2025-11-24',
};

/** Route id → example, of the routes of what keys did. */
export const activityRouteExamples: Readonly<Record<string, RouteExample>> = {
  listAuditLog: { requests: {}, data: { entries: [cancelled, created], next_cursor: null } },
  listFailedCalls: { requests: {}, data: { requests: [refused], next_cursor: null } },
  getUsage: { requests: {}, data: { days, total: amounts } },
};
