import { RetentionChange, type TenantRetention } from '@parcelway/contracts/admin-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { jsonBody } from '@parcelway/http/json-body';
import { sendOk } from '@parcelway/http/response';
import type { Request, Router } from 'express';
import type { TenantRetentionRecord } from '../../tenants/domain/tenant-retention.ts';
import { changeRetention, type ManageRetentionOptions, readRetention } from '../../tenants/manage-retention.ts';

const retentionChange = compileValidator(RetentionChange);

function view({ tenantId, forecastDays, fileDays }: TenantRetentionRecord): TenantRetention {
  return { tenant_id: tenantId, forecast_days: forecastDays, file_days: fileDays };
}

const tenantIdOf = (req: Request): string => String(req.params['id']);

/** How long data of a tenant is kept. @param options `notify` says that the outbox was written to */
export function adminRetentionRoutes(router: Router, options: ManageRetentionOptions & { readonly notify: () => void }): void {
  router.get('/admin/v1/tenants/:id/retention', async (req, res) => {
    sendOk(res, view(await readRetention(options, tenantIdOf(req))));
  });
  router.patch('/admin/v1/tenants/:id/retention', jsonBody(), async (req, res) => {
    const { forecast_days: forecastDays, file_days: fileDays } = retentionChange.parse(req.body);
    const wish = { ...(forecastDays !== undefined && { forecastDays }), ...(fileDays !== undefined && { fileDays }) };
    const changed = await changeRetention(options, tenantIdOf(req), wish);
    options.notify();
    sendOk(res, view(changed));
  });
}
