import { type FailedCallList, type Usage, UsageQuery } from '@parcelway/contracts/activity-api';
import { type OperatorAuditEntry, type OperatorAuditLog, OperatorAuditQuery } from '@parcelway/contracts/operator-activity-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import type { Request, Router } from 'express';
import { failedCallPages } from '../../activity/adapters/failed-call-pages.ts';
import { viewEntry } from '../../activity/adapters/http-activity.ts';
import { ListCursors, timeRangeOf } from '../../activity/adapters/list-cursors.ts';
import type { AuditRecord } from '../../activity/domain/audit-entry.ts';
import { readLog } from '../../activity/read-log.ts';
import { readUsage } from '../../activity/read-usage.ts';
import type { TenantRecord } from '../../tenants/domain/records.ts';
import { findTenant } from '../../tenants/manage-tenants.ts';
import type { AdminOptions } from './admin-options.ts';

const DEFAULT_PAGE = 100;
/** For whom cursors are sealed. */
const OPERATOR = 'admin';

const auditQuery = compileValidator(OperatorAuditQuery);
const usageQuery = compileValidator(UsageQuery);

const viewForOperator = (record: AuditRecord): OperatorAuditEntry => ({
  ...viewEntry(record),
  tenant_id: record.tenantId,
  action: record.action as OperatorAuditEntry['action'],
  actor: record.actor,
  resource: { type: record.resourceType as OperatorAuditEntry['resource']['type'], id: record.resourceId },
});

/** The operator's routes of what tenants and operators did. */
export function adminActivityRoutes(router: Router, options: AdminOptions): void {
  const { activity, serviceUsage, stores, clock, fileSecrets } = options;
  const cursors = new ListCursors(fileSecrets, 'audit log of the operator');
  const failedCallPage = failedCallPages({ failedCalls: activity.failedCalls, fileSecrets, list: 'failed calls for the operator' });
  const tenantOf = (req: Request): Promise<TenantRecord> => findTenant(stores, String(req.params['id']));
  router.get('/admin/v1/audit-log', async (req, res) => {
    const { query, after } = cursors.read(req, auditQuery, OPERATOR);
    const { limit, action, operator, tenant_id: tenantId, ...range } = query;
    const isFiltered = action !== undefined || operator !== undefined;
    const page = await readLog(activity.audit, {
      tenantId,
      range: timeRangeOf(range),
      matches: isFiltered
        ? (entry) =>
            (action === undefined || entry.action === action) &&
            (operator === undefined || (entry.actor.type === 'operator' && entry.actor.id === operator))
        : undefined,
      positionOf: ({ at, entryId }) => ({ createdAt: at, id: entryId }),
      limit: Number(limit ?? DEFAULT_PAGE),
      after,
    });
    const log: OperatorAuditLog = { entries: page.records.map(viewForOperator), next_cursor: cursors.next(page, OPERATOR) };
    sendOk(res, log);
  });
  router.get('/admin/v1/tenants/:id/usage', async (req, res) => {
    const asked = parseQuery(req, usageQuery);
    const tenant = await tenantOf(req);
    const usage = await readUsage({ usage: activity.usage, services: serviceUsage, clock }, tenant.id, asked);
    sendOk(res, usage satisfies Omit<Usage, 'warnings'>);
  });
  router.get('/admin/v1/tenants/:id/requests', async (req, res) => {
    const { id } = await tenantOf(req);
    sendOk(res, (await failedCallPage(req, id)) satisfies Omit<FailedCallList, 'warnings'>);
  });
}
