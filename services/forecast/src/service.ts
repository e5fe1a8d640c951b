import type { Subscription } from '@parcelway/bus/bus';
import { namesAnyNumber } from '@parcelway/contracts/barcode-readings';
import { documentUrl } from '@parcelway/contracts/document-url';
import type { Environment } from '@parcelway/contracts/environment';
import { readFileUrl } from '@parcelway/contracts/file-receipt';
import { createServiceApp } from '@parcelway/http/app';
import { Idempotency } from '@parcelway/http/idempotency';
import { createSealedCursors } from '@parcelway/http/sealed-cursor';
import { createServiceClient, type ServiceClient } from '@parcelway/http/service-client';
import type { IdempotencyStore } from '@parcelway/kernel/idempotency-store';
import { createOpaqueNumbers } from '@parcelway/kernel/opaque-number';
import type { TenantData } from '@parcelway/kernel/tenant-data';
import type { UsageStore } from '@parcelway/kernel/usage-counter';
import { type Environ, loadSections } from '@parcelway/platform/config';
import { openTenantData } from '@parcelway/platform/erasure/open-tenant-data';
import type { OutboxSource } from '@parcelway/platform/outbox';
import { createCleanUp } from '@parcelway/platform/policies/clean-up';
import { queueRoutes } from '@parcelway/platform/queues/service-queues';
import { defineService, type Platform, type Relay } from '@parcelway/platform/service';
import { type OpenUsage, openUsage } from '@parcelway/platform/usage/open-usage';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore } from '@parcelway/store/shared/usage-days';
import { createLoneWorkLease, createWorkLease } from '@parcelway/store/shared/work-leases';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import type { Store } from '@parcelway/store/store';
import { readForecastConfig } from './adapters/forecast-config.ts';
import { forecastCollections } from './collections.ts';
import { archiveKind } from './erasure/adapters/archive-kind.ts';
import { createTenantData } from './erasure/adapters/tenant-data.ts';
import { createEventHandler, forecastEventTypes } from './facts/adapters/events.ts';
import { createImageReader, ownImageRoutes } from './facts/adapters/http-own-images.ts';
import { createApplyFacts } from './facts/apply-facts.ts';
import { createChangeImages } from './facts/change-images.ts';
import { type ImportLeases, type Imports, importLeases, openImports } from './imports/adapters/open-imports.ts';
import { createImportStops, createImportStore, type ImportStops, type ImportStore } from './imports/import-store.ts';
import type { ImportFiles } from './imports/ports.ts';
import { readRoutes } from './lists/adapters/http.ts';
import type { DetailOptions } from './lists/adapters/representations.ts';
import { createServiceStoredTracking } from './lists/adapters/service-stored-tracking.ts';
import { openRetention, retentionHandlers, retentionLeases } from './retention/adapters/open-retention.ts';
import { readRetentionConfig } from './retention/adapters/retention-config.ts';
import { expiryNotes } from './retention/expiry-collections.ts';
import type { RetentionLeases } from './retention/expiry-timer.ts';
import { createForecastExpiry } from './retention/forecast-expiry.ts';
import type { ForecastExpiry, TenantRetentions } from './retention/ports.ts';
import { createTenantRetentions } from './retention/tenant-retention-store.ts';
import { warehouseHandlers } from './store/adapters/warehouse-events.ts';
import { forecasts } from './store/forecast-collection.ts';
import { createForecastStore } from './store/forecast-store.ts';
import { ForecastWriter } from './store/forecast-writer.ts';
import type { ForecastStore, WarehouseSamples, WarehouseStore } from './store/ports.ts';
import { createWarehouseStore } from './store/warehouse-store.ts';
import { followNumberLimits } from './submission/adapters/follow-number-limits.ts';
import { batchRoutes } from './submission/adapters/http-batches.ts';
import { submissionRoutes } from './submission/adapters/http-submissions.ts';
import { createCancelForecast } from './submission/cancel-forecast.ts';
import type { CheckOptions } from './submission/check-content.ts';
import { createCorrectForecast } from './submission/correct-forecast.ts';
import { NumberLimits } from './submission/number-limits.ts';
import { createSubmitBatch, createValidateBatch } from './submission/submit-batch.ts';
import { createSubmitForecast } from './submission/submit-forecast.ts';
import { createValidateForecast } from './submission/validate-forecast.ts';
import { createWarehouseDirectory } from './submission/warehouse-directory.ts';

interface Stores {
  /** With {@link forecastCollections}. */
  readonly documents: Store;
  readonly store: ForecastStore;
  readonly outbox: OutboxSource | undefined;
  readonly idempotency: IdempotencyStore;
  readonly warehouses: WarehouseStore & WarehouseSamples;
  /** @param files those of imports */
  tenantData(files: Pick<ImportFiles, 'delete'>): TenantData;
  readonly expiry: ForecastExpiry;
  /** Of messages that have no forecast any more; undefined when all are in one outbox. */
  readonly expiryOutbox?: OutboxSource;
  readonly retentions: TenantRetentions;
  readonly leases: RetentionLeases;
  readonly usage: UsageStore;
  readonly imports: ImportStore;
  readonly importStops: ImportStops;
  readonly importLeases: ImportLeases;
  readonly importedAtOnce: number;
}

function openStores(platform: Platform): Promise<Stores> {
  const { clock } = platform;
  const storesOf = (store: Store, check: () => Promise<void>) => ({
    documents: store,
    store: createForecastStore(store, check),
    idempotency: createIdempotencyStore(store),
    warehouses: createWarehouseStore(store),
    tenantData: (files: Pick<ImportFiles, 'delete'>) => createTenantData(store, files),
    expiry: createForecastExpiry(store, () => clock.now()),
    retentions: createTenantRetentions(store),
    usage: createUsageStore(store),
    imports: createImportStore(store),
    importStops: createImportStops(store),
  });
  return platform.openStores<Stores>('forecast', {
    sqlite(db, log) {
      db.migrate([sqliteSchema(forecastCollections)]);
      const store = createSqliteStore({ db, log });
      return {
        ...storesOf(store, async () => void db.get('SELECT 1 AS one')),
        outbox: undefined,
        leases: retentionLeases((name) => createLoneWorkLease(store, name)),
        importLeases: importLeases((name) => createLoneWorkLease(store, name)),
        // They share a commit, and all that follows from their events shares few. More would hold up the requests of others for longer.
        importedAtOnce: 128,
      };
    },
    async mongo(db) {
      const { createMongoStore } = await import('@parcelway/store/mongo/mongo-store');
      const store = createMongoStore(db, () => clock.now());
      return {
        ...storesOf(store, () => db.check()),
        outbox: store.outbox(forecasts),
        expiryOutbox: store.outbox(expiryNotes),
        leases: retentionLeases((name) => createWorkLease(store, name)),
        importLeases: importLeases((name) => createWorkLease(store, name)),
        // Each is a write of its own, over connections that requests need as well.
        importedAtOnce: 32,
      };
    },
  });
}

function openChecks({ clock, environment, fileSecrets }: Platform, warehouses: WarehouseStore, numberLimits: NumberLimits): CheckOptions {
  return {
    numberLimits,
    warehouses: createWarehouseDirectory({ store: warehouses, clock }),
    files: {
      read: (tenantId, url) => readFileUrl(fileSecrets, { tenantId, environment }, url),
      namesAny: (barcodes, numbers) => namesAnyNumber(fileSecrets, barcodes, numbers),
    },
  };
}

function createUseCases(
  platform: Platform,
  { store, warehouses }: Stores,
  relay: Relay,
  client: ServiceClient,
  usage: Pick<OpenUsage, 'add'>,
  numberLimits: NumberLimits,
) {
  const { clock, environment, fileSecrets } = platform;
  const writer = new ForecastWriter({ store, environment, notify: () => relay.notify() });
  const checks = openChecks(platform, warehouses, numberLimits);
  // Nobody waits for this event.
  const notify = (): void => relay.notifyUnhurried();
  const submit = createSubmitForecast({
    store,
    clock,
    environment,
    notify,
    onAccepted: (tenantId) => usage.add(tenantId, 'parcels'),
    ...checks,
  });
  const validate = createValidateForecast({ store, clock, ...checks });
  return {
    writer,
    submit,
    validate,
    submitBatch: createSubmitBatch(submit),
    validateBatch: createValidateBatch(validate),
    queryMany: { store, tracking: createServiceStoredTracking(client, environment) },
    cancel: createCancelForecast({ store, writer, clock }),
    correct: createCorrectForecast({ store, writer, clock, ...checks }),
    images: createChangeImages({ store, writer, clock, readImage: createImageReader(fileSecrets, environment) }),
  };
}

const gatewayHandlers = ({ warehouses, retentions }: Stores, imports: Imports) => ({
  ...warehouseHandlers(warehouses),
  ...retentionHandlers(retentions),
  ...imports.handlers,
});

const readSettings = (env: Environ, environment: Environment) =>
  loadSections(env, { forecast: readForecastConfig, retention: (each) => readRetentionConfig(each, environment) });

/** Forecasts: submission, status, measurements and image lists. */
export const forecastService = defineService({
  name: 'forecast',
  calls: ['tracking', 'warehouse-intake'],
  uses: ['object-store', 'public-address'],
  async collections() {
    const { mongoCollection } = await import('@parcelway/store/mongo/mongo-store-schema');
    return forecastCollections.map(mongoCollection);
  },
  settings: readSettings,
  async open(platform) {
    const { environment, clock, fileSecrets, numberSecret, publicBaseUrl } = platform;
    const { forecast, retention: kept } = readSettings(platform.env, environment);
    const logger = platform.logger.child({ service: 'forecast' });
    const detail: DetailOptions = {
      volumeDivisor: forecast.VOLUME_DIVISOR,
      documentUrl: ({ tenantId, forecastNo, contentVersion: version }, kind) =>
        documentUrl(numberSecret, publicBaseUrl, environment, { kind, tenantId, forecastNo, version }),
      shownIdOf: createOpaqueNumbers(numberSecret, 'forecasts'),
    };
    const stores = await openStores(platform);
    const { store, outbox, idempotency: keys } = stores;
    const blobs = await platform.openBlobs('imports');
    const { kinds, erased } = stores.tenantData(blobs);
    const tenantData = openTenantData(platform, 'forecast', { kinds: [...kinds, archiveKind(platform.openArchive())], erased });
    const idempotency = new Idempotency({ store: keys, clock, logger });
    const relay = platform.startRelay('forecast', outbox);
    const expiryRelay = stores.expiryOutbox === undefined ? relay : platform.startRelay('forecast', stores.expiryOutbox);
    const retention = openRetention(platform, logger, kept, {
      ...stores,
      detail,
      notify: () => expiryRelay.notify(),
      isErased: tenantData.isErased,
    });
    const client = createServiceClient({ originOf: platform.originOf, signer: platform.principalSigner });
    const usage = openUsage(platform, 'forecast', { store: stores.usage, isErased: tenantData.isErased });
    const numberLimits = new NumberLimits();
    const useCases = createUseCases(platform, stores, relay, client, usage, numberLimits);
    const handle = createEventHandler(createApplyFacts({ writer: useCases.writer, clock }));
    const { submit, validate } = useCases;
    const imports = openImports(platform, logger, { ...stores, blobs, submit, validate, idempotency, isErased: tenantData.isErased });
    const cleanUp = createCleanUp(forecastCollections, { store: stores.documents, clock, logger });
    const parts = [cleanUp, retention, imports, followNumberLimits(numberLimits, client, { environment, logger })];
    let subscriptions: readonly Subscription[] = [];
    return {
      app: createServiceApp({
        logger,
        verifier: platform.principalVerifier,
        routes(router) {
          tenantData.routes(router);
          queueRoutes(router, platform.telemetry, 'forecast');
          usage.routes(router);
          imports.routes(router);
          submissionRoutes(router, { ...useCases, idempotency, detail });
          batchRoutes(router, { ...useCases, idempotency, detail, logger });
          const cursors = createSealedCursors(fileSecrets, 'forecasts');
          readRoutes(router, { store, clock, detail, cursors, tracking: useCases.queryMany.tracking });
          ownImageRoutes(router, useCases.images, detail);
        },
      }),
      async start() {
        await tenantData.start();
        for (const part of [usage, ...parts]) part.start();
        const { bus } = tenantData;
        subscriptions = [
          await bus.subscribe('forecast', gatewayHandlers(stores, imports)),
          await bus.subscribeBatch('forecast', forecastEventTypes, handle),
        ];
      },
      async stop() {
        await Promise.all(subscriptions.map((subscription) => subscription.stop()));
        await Promise.all([...parts.map((part) => part.stop()), tenantData.stop(), client.close()]);
        // An import that ends has accepted forecasts yet.
        await usage.stop();
      },
      ready: () => store.check(),
    };
  },
});
