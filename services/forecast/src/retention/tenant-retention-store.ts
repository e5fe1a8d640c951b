import { collection } from '@parcelway/store/collection';
import { keepNewer } from '@parcelway/store/shared/newer-version';
import type { Store } from '@parcelway/store/store';
import Type from 'typebox';
import type { TenantRetentions } from './ports.ts';

const days = Type.Union([Type.Integer(), Type.Null()]);

/** What tenants have chosen. */
export const tenantRetentions = collection(
  'tenant_retentions',
  Type.Object({ tenantId: Type.String(), version: Type.Integer(), forecastDays: days, fileDays: days }, { additionalProperties: false }),
  {
    describe: 'Retention of forecasts and files that a tenant has chosen',
    key: ['tenantId'],
    lists: { tenant: ['tenantId'] },
    tenant: 'tenantId',
    shard: { unsharded: 'one small document for each tenant that has chosen' },
    ends: 'with the erasure of the tenant',
    copy: 'it is listed with the account',
  },
);

/** Keeps what tenants have chosen. */
export function createTenantRetentions(store: Store): TenantRetentions {
  return {
    find: async (tenantId) => (await store.get(tenantRetentions, [tenantId]))?.value,
    record: ({ tenantId, version, forecastDays, fileDays }) =>
      keepNewer(store, tenantRetentions, { tenantId, version, forecastDays, fileDays }),
  };
}
