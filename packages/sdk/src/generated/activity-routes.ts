// Made from the contract by `npm run docs`; do not edit.
import type { AuditLog, AuditLogQuery, FailedCallList, FailedCallsQuery, Usage, UsageQuery } from './activity-api.ts';

/** What each route of "Activity" takes and gives. */
export interface ActivityRoutes {
  /** Read the audit log: `GET /open/v1/audit-log` */
  readonly listAuditLog: {
    readonly path: undefined;
    readonly query: AuditLogQuery;
    readonly body: undefined;
    readonly data: AuditLog;
  };
  /** List failed calls: `GET /open/v1/requests` */
  readonly listFailedCalls: {
    readonly path: undefined;
    readonly query: FailedCallsQuery;
    readonly body: undefined;
    readonly data: FailedCallList;
  };
  /** Read the usage: `GET /open/v1/usage` */
  readonly getUsage: {
    readonly path: undefined;
    readonly query: UsageQuery;
    readonly body: undefined;
    readonly data: Usage;
  };
}
