import type { SqlScript } from '@parcelway/sqlite/own-names';
import { erasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { usageDays } from '@parcelway/store/shared/usage-days';
import { workLeases } from '@parcelway/store/shared/work-leases';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import { importCollections } from '../imports/import-collections.ts';
import { retentionTables } from '../retention/adapters/sqlite-retention-schema.ts';
import { tenantRetentions } from '../retention/adapters/tenant-retention-store.ts';
import { forecastTables } from '../store/adapters/sqlite-schema.ts';
import { warehouses } from '../store/adapters/warehouse-store.ts';

/** Schema of the service's file; append-only from the first release on. */
export const forecastMigrations: readonly SqlScript[] = [
  ...forecastTables,
  retentionTables,
  sqliteSchema([warehouses, tenantRetentions, ...importCollections, idempotencyKeys, erasedTenants, workLeases, usageDays]),
];
