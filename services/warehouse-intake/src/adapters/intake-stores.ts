import { topics } from '@parcelway/contracts/topics';
import type { Clock } from '@parcelway/kernel/clock';
import type { IdempotencyStore } from '@parcelway/kernel/idempotency-store';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import type { TenantData } from '@parcelway/kernel/tenant-data';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { OutboxSource } from '@parcelway/platform/outbox';
import type { Platform } from '@parcelway/platform/service';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { MessageLog } from '@parcelway/sqlite/message-log';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import type { Store } from '@parcelway/store/store';
import { intakeCollections } from '../collections.ts';
import { createExpiredForecasts } from '../erasure/expired-forecasts.ts';
import { createTenantData } from '../erasure/tenant-data.ts';
import { Directory } from '../expected/directory-store.ts';
import { expected } from '../expected/expected-collection.ts';
import { NumberCounts } from '../expected/number-counts.ts';
import type { AppliedReports, ClaimedNumbers, ExpiredForecasts, SeenNumbers, ViewChanges, ViewStore } from '../expected/ports.ts';
import { createLoneSequence, createSharedSequence, type ViewSequence } from '../expected/view-sequence.ts';
import { createViewChanges, View } from '../expected/view-store.ts';
import { createAppliedReports, createEventOutcomes } from '../reports/event-reads.ts';
import { Intake } from '../reports/intake-store.ts';
import type { EventOutcomes, IntakeStore, Rejections } from '../reports/ports.ts';
import { createRejections } from '../reports/rejections.ts';
import { events } from '../reports/report-collections.ts';
import type { IntakeConfig } from './intake-config.ts';

/** Everything that the service stores, over one database. */
export interface IntakeStores {
  readonly store: Store;
  readonly intake: IntakeStore;
  readonly counts: NumberCounts;
  readonly directory: ClaimedNumbers & SeenNumbers;
  readonly outcomes: EventOutcomes;
  readonly rejections: Rejections;
  readonly reports: AppliedReports;
  readonly keys: IdempotencyStore;
  readonly view: ViewStore;
  readonly expired: ExpiredForecasts;
  /** Publications of reports that wait for the relay; absent where they lie in the log at once. */
  readonly outbox: OutboxSource | undefined;
  /** Absent where nobody outside the process can read the log. */
  readonly changes: (ViewChanges & { readonly outbox: OutboxSource }) | undefined;
  readonly tenantData: TenantData;
  /** Resolves when the database responds. */
  check(): Promise<void>;
}

/** What the stores of both databases have in common. */
export function storesOf(
  store: Store,
  clock: Clock,
  sequence: ViewSequence,
  keepsChanges: boolean,
  isErased?: (tenantId: string) => boolean,
) {
  const counts = new NumberCounts(store, clock);
  const directory = new Directory(store, counts, isErased);
  return {
    intake: new Intake({ store, directory, clock }),
    counts,
    directory,
    outcomes: createEventOutcomes(store, directory, clock),
    rejections: createRejections(store),
    reports: createAppliedReports(store),
    keys: createIdempotencyStore(store),
    view: new View(store, { clock, sequence, keepsChanges }),
    expired: createExpiredForecasts(store),
  };
}

/** The stores of the service over a SQLite file, which is brought up to date first. @param log in the same file */
export function openSqliteStores(db: SqliteDatabase, log: MessageLog, clock: Clock, isErased?: (tenantId: string) => boolean) {
  db.migrate([sqliteSchema(intakeCollections)]);
  const store = createSqliteStore({ db, log });
  const check = async () => void db.get('SELECT 1 AS one');
  return {
    ...storesOf(store, clock, createLoneSequence(store, clock), false, isErased),
    store,
    outbox: undefined,
    changes: undefined,
    check,
  };
}

/** The stores of the service over a MongoDB database. @param keepsChanges records changes of the view for systems outside the platform */
export async function openMongoStores(db: MongoDatabase, clock: Clock, keepsChanges: boolean, isErased?: (tenantId: string) => boolean) {
  const [{ createMongoStore }, { MongoServerTime }] = await Promise.all([
    import('@parcelway/store/mongo/mongo-store'),
    import('@parcelway/mongo/mongo-server-time'),
  ]);
  const store = createMongoStore(db);
  const time = new MongoServerTime(db);
  const stores = storesOf(
    store,
    clock,
    createSharedSequence(store, () => time.now()),
    keepsChanges,
    isErased,
  );
  const changes = { ...createViewChanges(store), outbox: store.outbox(expected) };
  return { ...stores, store, outbox: store.outbox(events), changes, check: () => db.check() };
}

/** Opens the stores in SQLite or in MongoDB, as the platform has it. @param isErased see Directory */
export function openIntakeStores(
  { openStores: open, clock, bus, sealSecrets }: Pick<Platform, 'openStores' | 'clock' | 'bus' | 'sealSecrets'>,
  { WAREHOUSE_TOPIC }: Pick<IntakeConfig, 'WAREHOUSE_TOPIC'>,
  isErased: (tenantId: string) => boolean,
): Promise<IntakeStores> {
  const sealer = createTextSealer(sealSecrets);
  return open<IntakeStores>('warehouse-intake', {
    sqlite(db, log) {
      const stores = openSqliteStores(db, log, clock, isErased);
      return { ...stores, tenantData: createTenantData({ store: stores.store, sealer, retract: async () => undefined }) };
    },
    async mongo(db) {
      const stores = await openMongoStores(db, clock, WAREHOUSE_TOPIC === 'on', isErased);
      const retract = (forecastNos: readonly string[]): Promise<void> => bus.retract(topics.warehouseExpected, forecastNos);
      return { ...stores, tenantData: createTenantData({ store: stores.store, sealer, retract }) };
    },
  });
}
