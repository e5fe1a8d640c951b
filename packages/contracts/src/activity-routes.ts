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
import { type RouteDefinition, routesWith } from './route.ts';
import { KEYS_SCOPE } from './scopes.ts';

const route = routesWith({ service: 'gateway', scopes: [KEYS_SCOPE], tag: 'Activity' });

/** Routes by which a tenant sees what its keys did. */
export const activityRoutes: readonly RouteDefinition[] = [
  route({
    id: 'listAuditLog',
    path: '/open/v1/audit-log',
    summary: 'Read the audit log',
    description:
      'Who changed keys, webhook endpoints, carrier connections, files and forecasts, newest first, for a year. Submissions are not among them: the status history of a forecast names the key that submitted it.',
    query: AuditLogQuery,
    data: AuditLog,
  }),
  route({
    id: 'listFailedCalls',
    path: '/open/v1/requests',
    summary: 'List failed calls',
    description: `Calls of the last ${FAILED_CALLS_KEPT_DAYS} days with a status of 400 or more, newest first, without their bodies. A call appears within a few seconds. Each gateway records ${FAILED_CALLS_RECORDED.burst} at once, then one every ${FAILED_CALLS_RECORDED.everySeconds} seconds, and fewer that exceed the rate limit; \`failed_calls\` of the usage counts them all.`,
    query: FailedCallsQuery,
    data: FailedCallList,
  }),
  route({
    id: 'getUsage',
    path: '/open/v1/usage',
    summary: 'Read the usage',
    description:
      'Calls, parcels, events and files of each day, UTC, and what was stored at its beginning. What happened in the last minute may be missing. The figures are for your information: if a process of the platform is killed, some seconds of them are lost.',
    query: UsageQuery,
    data: Usage,
  }),
];
