import { topics } from '@parcelway/contracts/topics';
import type { IdempotencyStore } from '@parcelway/kernel/idempotency-store';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import type { TenantData } from '@parcelway/kernel/tenant-data';
import type { OutboxSource } from '@parcelway/platform/outbox';
import type { Platform } from '@parcelway/platform/service';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { createSqliteTenantData } from '../erasure/adapters/sqlite-tenant-data.ts';
import { SqliteView } from '../expected/adapters/sqlite-view.ts';
import type { AppliedReports, ClaimedNumbers, ExpiredForecasts, ViewChanges, ViewStore } from '../expected/ports.ts';
import { SqliteEventOutcomes } from '../reports/adapters/sqlite-event-outcomes.ts';
import { SqliteIntakeStore } from '../reports/adapters/sqlite-intake-store.ts';
import { SqliteRejections } from '../reports/adapters/sqlite-rejections.ts';
import { SqliteReports } from '../reports/adapters/sqlite-reports.ts';
import type { EventOutcomes, IntakeStore, Rejections } from '../reports/ports.ts';
import type { IntakeConfig } from './intake-config.ts';
import { SqliteExpiredForecasts } from './sqlite-expired-forecasts.ts';
import { intakeMigrations } from './sqlite-migrations.ts';

/** Everything that the service stores, over one database. */
export interface IntakeStores {
  readonly intake: IntakeStore & { readonly outbox?: OutboxSource };
  readonly outcomes: EventOutcomes;
  readonly rejections: Rejections;
  readonly reports: AppliedReports & ClaimedNumbers;
  readonly keys: IdempotencyStore;
  readonly view: ViewStore;
  readonly expired: ExpiredForecasts;
  /** Absent where nobody outside the process can read the log. */
  readonly changes: (ViewChanges & { readonly outbox: OutboxSource }) | undefined;
  readonly tenantData: TenantData;
}

/** Opens the stores in SQLite or in MongoDB, as the platform has it. */
export function openIntakeStores(
  { openStores: open, clock, bus, sealSecrets }: Pick<Platform, 'openStores' | 'clock' | 'bus' | 'sealSecrets'>,
  { WAREHOUSE_TOPIC }: Pick<IntakeConfig, 'WAREHOUSE_TOPIC'>,
): Promise<IntakeStores> {
  const sealer = createTextSealer(sealSecrets);
  return open<IntakeStores>('warehouse-intake', {
    sqlite: (db, log) => {
      db.migrate(intakeMigrations);
      return {
        intake: new SqliteIntakeStore(db, clock, log),
        outcomes: new SqliteEventOutcomes(db, clock),
        rejections: new SqliteRejections(db),
        reports: new SqliteReports(db),
        keys: createIdempotencyStore(createSqliteStore({ db })),
        view: new SqliteView(db, clock),
        expired: new SqliteExpiredForecasts(db),
        changes: undefined,
        tenantData: createSqliteTenantData(db, sealer),
      };
    },
    async mongo(db) {
      const { openMongoStores } = await import('./mongo-stores.ts');
      const { createMongoTenantData } = await import('../erasure/adapters/mongo-tenant-data.ts');
      const retract = (forecastNos: readonly string[]): Promise<void> => bus.retract(topics.warehouseExpected, forecastNos);
      return {
        ...openMongoStores(db, clock, WAREHOUSE_TOPIC === 'on'),
        tenantData: createMongoTenantData(db, { sealer, retract }),
      };
    },
  });
}
