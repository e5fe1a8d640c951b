import { activityRoutes } from '@parcelway/contracts/account-routes';
import {
  type AuditEntry,
  type AuditLog,
  AuditLogQuery,
  type FailedCall,
  type FailedCallList,
  FailedCallsQuery,
  type Usage,
  UsageQuery,
} from '@parcelway/contracts/activity-api';
import type { Environment } from '@parcelway/contracts/environment';
import type { ServiceName } from '@parcelway/contracts/service-name';
import type { UsageAmountsOfDays } from '@parcelway/contracts/usage-amounts-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { addContractRoutes } from '@parcelway/http/contract-routes';
import { parseQuery } from '@parcelway/http/query';
import type { ServiceClient } from '@parcelway/http/service-client';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Platform } from '@parcelway/platform/service';
import type { Request, Router } from 'express';
import { principalOfExchange } from '../../proxy/adapters/proxy.ts';
import { platformPrincipal } from '../../proxy/domain/principals.ts';
import type { AuditRecord } from '../audit-collection.ts';
import type { FailedCallRecord, FailedCallStore } from '../failed-call-collection.ts';
import type { ActivityStores } from '../open-activity.ts';
import { readUsage, type ServiceUsage } from '../read-usage.ts';
import { logPages } from './list-cursors.ts';

const DEFAULT_PAGE = 20;
/** Services that count what tenants use, besides the gateway. */
const COUNTING: readonly ServiceName[] = ['forecast', 'webhook', 'file'];
const USAGE_TIMEOUT_MS = 5000;

const auditQuery = compileValidator(AuditLogQuery);
const callsQuery = compileValidator(FailedCallsQuery);
const usageQuery = compileValidator(UsageQuery);

/** An entry as tenants see it: not which person of the operator. */
export function viewEntry({ actorType: type, actorId, address, session, ...entry }: AuditRecord): AuditEntry {
  return {
    entry_id: entry.entryId,
    time: isoInstant(entry.at),
    action: entry.action as AuditEntry['action'],
    actor: { type, id: type === 'key' ? actorId : null, address, ...(session !== undefined && { session }) },
    resource: { type: entry.resourceType as AuditEntry['resource']['type'], id: entry.resourceId },
    outcome: entry.outcome,
    request_id: entry.requestId,
  };
}

function viewCall(call: FailedCallRecord): FailedCall {
  return {
    request_id: call.requestId,
    time: isoInstant(call.at),
    method: call.method,
    route: call.route,
    path: call.path,
    status: call.status,
    code: call.code,
    message: call.message,
    data: call.data === null ? null : (JSON.parse(call.data) as object),
    key_id: call.keyId,
    duration_ms: call.durationMs,
  };
}

/** Reads pages of the failed calls of a tenant, as the queries of requests ask: by request id, key, code and time. */
export function failedCallPages(calls: FailedCallStore, fileSecrets: readonly string[], sealedFor: string) {
  const pages = logPages(fileSecrets, {
    sealedFor,
    query: callsQuery,
    standard: DEFAULT_PAGE,
    list({ request_id, key_id, code }, tenantId, part) {
      const matches = (call: FailedCallRecord): boolean =>
        (key_id === undefined || call.keyId === key_id) && (code === undefined || call.code === code);
      return calls.list(tenantId, request_id, part, (key_id ?? code) === undefined ? undefined : matches);
    },
  });
  return async (req: Request, tenantId: string): Promise<Omit<FailedCallList, 'warnings'>> => {
    const { records, next_cursor } = await pages(req, tenantId);
    return { requests: records.map(viewCall), next_cursor };
  };
}

/** Adds the routes with which a tenant reads the activity of its keys. The proxy has already made every check. */
export function addActivityRoutes(
  router: Router,
  stores: ActivityStores,
  services: ServiceUsage,
  { clock, fileSecrets }: Pick<Platform, 'clock' | 'fileSecrets'>,
): void {
  const { audit, failedCalls, usage } = stores;
  const auditPage = logPages(fileSecrets, {
    sealedFor: 'audit log',
    query: auditQuery,
    standard: DEFAULT_PAGE,
    list: ({ action }, tenantId, part) => audit.list(tenantId, part, action === undefined ? undefined : (entry) => entry.action === action),
  });
  const failedCallPage = failedCallPages(failedCalls, fileSecrets, 'failed calls');
  addContractRoutes(router, activityRoutes, {
    responses: {
      async listAuditLog(req, tenantId: string): Promise<AuditLog> {
        const { records, next_cursor } = await auditPage(req, tenantId);
        return { entries: records.map(viewEntry), next_cursor, warnings: [] };
      },
      async listFailedCalls(req, tenantId: string): Promise<FailedCallList> {
        return { ...(await failedCallPage(req, tenantId)), warnings: [] };
      },
      async getUsage(req, tenantId: string): Promise<Usage> {
        return { ...(await readUsage({ usage, services, clock }, tenantId, parseQuery(req, usageQuery))), warnings: [] };
      },
    },
    callerOf: (req) => String(principalOfExchange(req).tenantId),
  });
}

/** Reads what the services counted over HTTP. */
export function createServiceUsage(services: Pick<ServiceClient, 'call'>, environment: Environment): ServiceUsage {
  const principal = platformPrincipal(environment);
  return async (tenant_id, range) => {
    const call = { method: 'GET', path: `/internal/v1/usage?${new URLSearchParams({ tenant_id, ...range })}`, principal } as const;
    const counted = COUNTING.map((service) => services.call<UsageAmountsOfDays>({ ...call, service, timeoutMs: USAGE_TIMEOUT_MS }));
    return (await Promise.all(counted)).flatMap(({ days }) => days);
  };
}
