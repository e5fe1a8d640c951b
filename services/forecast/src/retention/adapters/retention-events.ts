import type { EventHandlers } from '@parcelway/bus/bus';
import type { TenantRetentions } from '../ports.ts';

/** Keeps what tenants have chosen by the events of the gateway. */
export function retentionHandlers(retentions: Pick<TenantRetentions, 'record'>) {
  return {
    'tenant.retention-changed': ({ data }) =>
      retentions.record({
        tenantId: data.tenant_id,
        version: data.version,
        forecastDays: data.forecast_days,
        fileDays: data.file_days,
      }),
  } satisfies EventHandlers;
}
