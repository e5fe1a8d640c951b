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
import { activityRoutes } from '@parcelway/contracts/activity-routes';
import { compileValidator } from '@parcelway/contracts/validator';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import { createSealedCursors, invalidCursor, type SealedCursors } from '@parcelway/http/sealed-cursor';
import { type Clock, isoInstant } from '@parcelway/kernel/clock';
import { type ListPosition, positionInText, textOfPosition } from '@parcelway/kernel/list-position';
import type { Request, Router } from 'express';
import { principalOfExchange } from '../../edge/adapters/edge.ts';
import type { AuditRecord } from '../domain/audit-entry.ts';
import type { FailedCallRecord } from '../domain/failed-call.ts';
import type { ActivityStores, ServiceUsage, TimeRange } from '../ports.ts';
import { type LogPage, readLog } from '../read-log.ts';
import { readUsage } from '../read-usage.ts';

/** What the routes work with. */
export interface ActivityRoutesOptions {
  readonly stores: ActivityStores;
  readonly services: ServiceUsage;
  readonly clock: Clock;
  /** Secret of the installation, which seals cursors. */
  readonly fileSecret: string;
}

/** Makes `data` of the response of one route. */
type Handler = (req: Request, tenantId: string) => Promise<object>;

const DEFAULT_PAGE = 20;

const auditQuery = compileValidator(AuditLogQuery);
const callsQuery = compileValidator(FailedCallsQuery);
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

/** The time that a query asks for. */
export const timeRangeOf = ({ created_from, created_to }: Pick<AuditLogQuery, 'created_from' | 'created_to'>): TimeRange => ({
  ...(created_from !== undefined && { from: Date.parse(created_from) }),
  ...(created_to !== undefined && { to: Date.parse(created_to) }),
});

/** Reads the cursor of a query. */
export function cursorIn(cursors: SealedCursors, owner: string) {
  const read: { after: ListPosition | undefined } = { after: undefined };
  const check = (text: string) => {
    read.after = positionInText(cursors.open(owner, text) ?? '');
    return read.after === undefined ? invalidCursor : undefined;
  };
  return { read, checks: { cursor: check } };
}

/** `next_cursor` of a page. */
export function nextCursor({ next }: LogPage<unknown>, cursors: SealedCursors, owner: string): string | null {
  return next === null ? null : cursors.seal(owner, textOfPosition(next));
}

function readResponses({ stores, services, clock, fileSecret }: ActivityRoutesOptions): Record<string, Handler> {
  const auditCursors = createSealedCursors(fileSecret, 'audit log', { hasUnsealed: false });
  const callCursors = createSealedCursors(fileSecret, 'failed calls', { hasUnsealed: false });
  return {
    async listAuditLog(req, tenantId): Promise<AuditLog> {
      const { read, checks } = cursorIn(auditCursors, tenantId);
      const { limit, action, ...range } = parseQuery(req, auditQuery, checks);
      const page = await readLog(stores.audit, {
        tenantId,
        range: timeRangeOf(range),
        matches: action === undefined ? undefined : (entry) => entry.action === action,
        positionOf: ({ at, entryId }) => ({ createdAt: at, id: entryId }),
        limit: Number(limit ?? DEFAULT_PAGE),
        after: read.after,
      });
      return { entries: page.records.map(viewEntry), next_cursor: nextCursor(page, auditCursors, tenantId), warnings: [] };
    },
    async listFailedCalls(req, tenantId): Promise<FailedCallList> {
      const { read, checks } = cursorIn(callCursors, tenantId);
      const { limit, request_id, key_id, code, ...range } = parseQuery(req, callsQuery, checks);
      const isFiltered = key_id !== undefined || code !== undefined;
      const { failedCalls } = stores;
      const list: typeof failedCalls.list = (...asked) =>
        request_id === undefined ? failedCalls.list(...asked) : failedCalls.withRequestId(request_id, ...asked);
      const page = await readLog(
        { list },
        {
          tenantId,
          range: timeRangeOf(range),
          matches: isFiltered
            ? (call) => (key_id === undefined || call.keyId === key_id) && (code === undefined || call.code === code)
            : undefined,
          positionOf: ({ at, callId }) => ({ createdAt: at, id: callId }),
          limit: Number(limit ?? DEFAULT_PAGE),
          after: read.after,
        },
      );
      return { requests: page.records.map(viewCall), next_cursor: nextCursor(page, callCursors, tenantId), warnings: [] };
    },
    async getUsage(req, tenantId): Promise<Usage> {
      const { usage } = stores;
      return { ...(await readUsage({ usage, services, clock }, tenantId, parseQuery(req, usageQuery))), warnings: [] };
    },
  };
}

/** Adds the routes by which a tenant sees what its keys did. The edge has made every check before. */
export function addActivityRoutes(router: Router, options: ActivityRoutesOptions): void {
  const responses = readResponses(options);
  for (const { id, path } of activityRoutes) {
    const respond = responses[id];
    if (respond === undefined) throw new Error(`No response for the route ${id}`);
    router.get(path, async (req, res) => {
      sendOk(res, await respond(req, String(principalOfExchange(req).tenantId)));
    });
  }
}
