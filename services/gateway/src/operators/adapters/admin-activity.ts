import { type FailedCallList, type Usage, UsageQuery } from '@parcelway/contracts/activity-api';
import { type OperatorAuditEntry, type OperatorAuditLog, OperatorAuditQuery } from '@parcelway/contracts/operator-activity-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { parseQuery } from '@parcelway/http/query';
import { failedCallPages, viewEntry } from '../../activity/adapters/http-activity.ts';
import { logPages } from '../../activity/adapters/list-cursors.ts';
import { type AuditRecord, NO_TENANT } from '../../activity/audit-collection.ts';
import { readUsage } from '../../activity/read-usage.ts';
import { findTenant } from '../../tenants/tenants.ts';
import { type AdminOptions, DEFAULT_PAGE, OPERATOR, type Respond, tenantIdOf } from './admin-options.ts';
import type { OwnRoute } from './admin-routes.ts';

const auditQuery = compileValidator(OperatorAuditQuery);
const usageQuery = compileValidator(UsageQuery);

function viewForOperator(record: AuditRecord): OperatorAuditEntry {
  const { actor, ...seen } = viewEntry(record) as OperatorAuditEntry;
  return { ...seen, tenant_id: record.tenantId === NO_TENANT ? null : record.tenantId, actor: { ...actor, id: record.actorId } };
}

/** The operator's routes of what tenants and operators did. */
export function adminActivityRoutes({ serviceUsage, store, stores, clock, fileSecrets }: AdminOptions) {
  const { activity } = stores;
  const auditPage = logPages(fileSecrets, {
    sealedFor: 'audit log of the operator',
    query: auditQuery,
    standard: DEFAULT_PAGE,
    list({ tenant_id, action, operator }, _owner, part) {
      const matches = (entry: AuditRecord): boolean =>
        (action === undefined || entry.action === action) &&
        (operator === undefined || (entry.actorType === 'operator' && entry.actorId === operator));
      return activity.audit.list(tenant_id, part, (action ?? operator) === undefined ? undefined : matches);
    },
  });
  const failedCallPage = failedCallPages(activity.failedCalls, fileSecrets, 'failed calls for the operator');
  return {
    'GET /admin/v1/audit-log': async (req) => {
      const { records, next_cursor } = await auditPage(req, OPERATOR);
      return { entries: records.map(viewForOperator), next_cursor } satisfies OperatorAuditLog;
    },
    'GET /admin/v1/tenants/:id/usage': async (req) => {
      const asked = parseQuery(req, usageQuery);
      const { tenantId } = await findTenant(store, tenantIdOf(req));
      const usage = await readUsage({ usage: activity.usage, services: serviceUsage, clock }, tenantId, asked);
      return usage satisfies Omit<Usage, 'warnings'>;
    },
    'GET /admin/v1/tenants/:id/requests': async (req) => {
      const { tenantId } = await findTenant(store, tenantIdOf(req));
      return (await failedCallPage(req, tenantId)) satisfies Omit<FailedCallList, 'warnings'>;
    },
  } satisfies Partial<Record<OwnRoute, Respond>>;
}
