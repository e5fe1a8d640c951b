import {
  type AuditEntry,
  type AuditLog,
  AuditLogQuery,
  type FailedCallList,
  type Usage,
  UsageQuery,
} from '@parcelway/contracts/activity-api';
import { activityRoutes } from '@parcelway/contracts/activity-routes';
import { compileValidator } from '@parcelway/contracts/validator';
import { addContractRoutes, type RouteResponse } from '@parcelway/http/contract-routes';
import { parseQuery } from '@parcelway/http/query';
import { type Clock, isoInstant } from '@parcelway/kernel/clock';
import type { Router } from 'express';
import { principalOfExchange } from '../../proxy/adapters/proxy.ts';
import type { AuditRecord } from '../domain/audit-entry.ts';
import type { ActivityStores } from '../open-activity.ts';
import type { ServiceUsage } from '../ports.ts';
import { readLog } from '../read-log.ts';
import { readUsage } from '../read-usage.ts';
import { failedCallPages } from './failed-call-pages.ts';
import { ListCursors, timeRangeOf } from './list-cursors.ts';

/** What the routes work with. */
export interface ActivityRoutesOptions {
  readonly stores: ActivityStores;
  readonly services: ServiceUsage;
  readonly clock: Clock;
  /** Secrets of the installation, of which the first seals cursors. */
  readonly fileSecrets: readonly string[];
}

const DEFAULT_PAGE = 20;

const auditQuery = compileValidator(AuditLogQuery);
const usageQuery = compileValidator(UsageQuery);

/** An entry as tenants see it: not which person of the operator. */
export function viewEntry({ entryId, at, action, actor, resourceType, resourceId, outcome, requestId }: AuditRecord): AuditEntry {
  return {
    entry_id: entryId,
    time: isoInstant(at),
    action: action as AuditEntry['action'],
    actor: { ...actor, id: actor.type === 'key' ? actor.id : null },
    resource: { type: resourceType as AuditEntry['resource']['type'], id: resourceId },
    outcome,
    request_id: requestId,
  };
}

function readResponses({ stores, services, clock, fileSecrets }: ActivityRoutesOptions): Record<string, RouteResponse<string>> {
  const auditCursors = new ListCursors(fileSecrets, 'audit log');
  const failedCallPage = failedCallPages({ failedCalls: stores.failedCalls, fileSecrets, list: 'failed calls' });
  return {
    async listAuditLog(req, tenantId): Promise<AuditLog> {
      const { query, after } = auditCursors.read(req, auditQuery, tenantId);
      const { limit, action, ...range } = query;
      const page = await readLog(stores.audit, {
        tenantId,
        range: timeRangeOf(range),
        matches: action === undefined ? undefined : (entry) => entry.action === action,
        positionOf: ({ at, entryId }) => ({ createdAt: at, id: entryId }),
        limit: Number(limit ?? DEFAULT_PAGE),
        after,
      });
      return { entries: page.records.map(viewEntry), next_cursor: auditCursors.next(page, tenantId), warnings: [] };
    },
    async listFailedCalls(req, tenantId): Promise<FailedCallList> {
      return { ...(await failedCallPage(req, tenantId)), warnings: [] };
    },
    async getUsage(req, tenantId): Promise<Usage> {
      const { usage } = stores;
      return { ...(await readUsage({ usage, services, clock }, tenantId, parseQuery(req, usageQuery))), warnings: [] };
    },
  };
}

/** Adds the routes with which a tenant reads the activity of its keys. The proxy has already made every check. */
export function addActivityRoutes(router: Router, options: ActivityRoutesOptions): void {
  addContractRoutes(router, activityRoutes, {
    responses: readResponses(options),
    callerOf: (req) => String(principalOfExchange(req).tenantId),
  });
}
