import { collection } from '@parcelway/store/collection';
import type { Store } from '@parcelway/store/store';
import { keepNewer } from '@parcelway/store/upsert';
import Type from 'typebox';
import type { TenantRetention } from './domain/retention.ts';

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

export type TenantRetentions = ReturnType<typeof createTenantRetentions>;

/** Keeps what tenants have chosen. */
export function createTenantRetentions(store: Store) {
  return {
    /** Undefined when the tenant has chosen nothing. */
    find: async (tenantId: string): Promise<TenantRetention | undefined> => (await store.get(tenantRetentions, [tenantId]))?.value,
    /** Keeps what is newer than what is known; does nothing otherwise. */
    record: ({ tenantId, version, forecastDays, fileDays }: TenantRetention): Promise<void> =>
      keepNewer(store, tenantRetentions, { tenantId, version, forecastDays, fileDays }),
  };
}
