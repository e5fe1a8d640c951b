import {
  AuditLog,
  AuditLogQuery,
  FAILED_CALLS_KEPT_DAYS,
  FAILED_CALLS_RECORDED,
  FailedCallList,
  FailedCallsQuery,
  Usage,
  UsageQuery,
} from './activity-api.ts';
import { ConsoleLink, ConsoleLinkCreation, ConsoleSession } from './console-api.ts';
import {
  KeyChange,
  KeyChanged,
  KeyCreated,
  KeyCreation,
  KeyRotated,
  KeyRotation,
  MAX_KEYS_PER_TENANT,
  OwnAccess,
  TenantKey,
  TenantKeyList,
  TenantKeyListQuery,
} from './key-api.ts';
import { type RouteDefinition, routesWith } from './route.ts';
import { KEYS_SCOPE } from './scopes.ts';

const keyRoute = routesWith({ path: '/open/v1/keys', service: 'gateway', scopes: [KEYS_SCOPE], tag: 'Keys' });

/** Routes by which a tenant manages its keys, and sees who it is. */
export const keyRoutes: readonly RouteDefinition[] = [
  keyRoute({
    id: 'getOwnAccess',
    path: '/open/v1/me',
    scopes: [],
    summary: 'Read who calls',
    description: 'The tenant, the calling key with its scopes, and the rate limits in force. Verifies a key.',
    data: OwnAccess,
  }),
  keyRoute({
    id: 'listKeys',
    summary: 'List keys',
    description: 'Newest first, in pages, with the revoked and expired ones. No response shows a key itself again.',
    query: TenantKeyListQuery,
    data: TenantKeyList,
  }),
  keyRoute({
    id: 'createKey',
    method: 'POST',
    summary: 'Create a key',
    description: `The response shows the key, this once. It never has more scopes than the calling key, and has the same rate limit. At most ${MAX_KEYS_PER_TENANT} working keys a tenant.`,
    body: KeyCreation,
    repeat: 'Creates another key.',
    idempotencyKey: true,
    data: KeyCreated,
    errors: ['40902'],
  }),
  keyRoute({ id: 'getKey', below: '/{key_id}', summary: 'Read a key', data: TenantKey }),
  keyRoute({
    id: 'updateKey',
    method: 'PATCH',
    below: '/{key_id}',
    summary: 'Change a key',
    description:
      'Only the fields given; `scopes` and `allowed_addresses` are replaced as a whole. Takes effect within 5 seconds. A key that is revoked or expired cannot be changed.',
    body: KeyChange,
    repeat: 'Sets the same values again.',
    data: KeyChanged,
    errors: ['40902'],
  }),
  keyRoute({
    id: 'rotateKey',
    method: 'POST',
    below: '/{key_id}/rotate',
    summary: 'Rotate a key',
    description:
      'Creates a key with the same scopes, description, addresses, rate limit and length of life. The former key works until the overlap ends. A key with `keys:manage` may rotate itself, too. A key with more scopes than the calling key is refused with 40301.',
    body: KeyRotation,
    bodyOptional: true,
    repeat: 'Returns 40902: the key is rotated already.',
    idempotencyKey: true,
    data: KeyRotated,
    errors: ['40902'],
  }),
  keyRoute({
    id: 'revokeKey',
    method: 'POST',
    below: '/{key_id}/revoke',
    summary: 'Revoke a key',
    description: 'For good, within 5 seconds. The last key that has `keys:manage` for more than a day cannot be revoked.',
    data: TenantKey,
    repeat: 'Returns the first revocation, with `Idempotent-Replayed: true`.',
    errors: ['40902'],
  }),
];

const activityRoute = routesWith({ service: 'gateway', scopes: [KEYS_SCOPE], tag: 'Activity' });

/** Routes by which a tenant sees what its keys did. */
export const activityRoutes: readonly RouteDefinition[] = [
  activityRoute({
    id: 'listAuditLog',
    path: '/open/v1/audit-log',
    summary: 'Read the audit log',
    description:
      'Who changed keys, webhook endpoints, carrier connections, files and forecasts, newest first, for a year. Submissions are not among them: the status history of a forecast names the key that submitted it.',
    query: AuditLogQuery,
    data: AuditLog,
  }),
  activityRoute({
    id: 'listFailedCalls',
    path: '/open/v1/requests',
    summary: 'List failed calls',
    description: `Calls of the last ${FAILED_CALLS_KEPT_DAYS} days with a status of 400 or more, newest first, without their bodies. A call appears within a few seconds. Each gateway records ${FAILED_CALLS_RECORDED.burst} at once, then one every ${FAILED_CALLS_RECORDED.everySeconds} seconds, and fewer that exceed the rate limit; \`failed_calls\` of the usage counts them all.`,
    query: FailedCallsQuery,
    data: FailedCallList,
  }),
  activityRoute({
    id: 'getUsage',
    path: '/open/v1/usage',
    summary: 'Read the usage',
    description:
      'Calls, parcels, events and files of each day, UTC, and what was stored at its beginning. What happened in the last minute may be missing. The figures are for your information: if a process of the platform is killed, some seconds of them are lost.',
    query: UsageQuery,
    data: Usage,
  }),
];

const consoleRoute = routesWith({ method: 'POST', service: 'gateway', scopes: [], tag: 'Console' });

/** Routes by which people come into the console. */
export const consoleRoutes: readonly RouteDefinition[] = [
  consoleRoute({
    id: 'createConsoleSession',
    path: '/open/v1/console/sessions',
    summary: 'Begin a session of the console',
    description:
      'The console sends the session token instead of the key, so that it does not store the key. The token has the scopes and allowed addresses of the key, and expires after 8 hours or with the key. Only the key itself can create, change or rotate keys, begin sessions and create links.',
    data: ConsoleSession,
    repeat: 'Begins another session.',
  }),
  consoleRoute({
    id: 'createConsoleLink',
    path: '/open/v1/console/links',
    summary: 'Create a link to the console',
    description:
      'For a person who has no key: your own system creates the link and opens it for its user. It works for an hour at most, ends with the calling key, and never manages keys. Revoke the key to end it at once. A session creates no links.',
    body: ConsoleLinkCreation,
    bodyOptional: true,
    data: ConsoleLink,
    repeat: 'Creates another link.',
  }),
];
