import type { EventHandlers, Subscription } from '@parcelway/bus/bus';
import { namesAnyNumber } from '@parcelway/contracts/barcode-readings';
import { documentUrl } from '@parcelway/contracts/document-url';
import type { Environment } from '@parcelway/contracts/environment';
import { readFileUrl } from '@parcelway/contracts/file-receipt';
import { createServiceApp } from '@parcelway/http/app';
import { Idempotency } from '@parcelway/http/idempotency';
import { createSealedCursors } from '@parcelway/http/sealed-cursor';
import type { ServiceClient } from '@parcelway/http/service-client';
import { createOpaqueNumbers } from '@parcelway/kernel/opaque-number';
import { type Environ, loadSections } from '@parcelway/platform/config';
import { openTenantData } from '@parcelway/platform/erasure/open-tenant-data';
import type { Relay } from '@parcelway/platform/outbox';
import { queueRoutes } from '@parcelway/platform/queues/service-queues';
import { defineService, type Platform } from '@parcelway/platform/service';
import { type OpenUsage, openUsage } from '@parcelway/platform/usage/open-usage';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore } from '@parcelway/store/shared/usage-days';
import { readForecastConfig } from './adapters/forecast-config.ts';
import { forecastCollections } from './collections.ts';
import { archiveKind, createTenantData } from './erasure/adapters/tenant-data.ts';
import { createEventHandler, forecastEventTypes } from './facts/adapters/events.ts';
import { createImageReader, ownImageRoutes } from './facts/adapters/http-own-images.ts';
import { createApplyFacts } from './facts/apply-facts.ts';
import { createChangeImages } from './facts/change-images.ts';
import { type Imports, openImports } from './imports/adapters/open-imports.ts';
import { createImportStops, createImportStore } from './imports/import-store.ts';
import type { ImportFiles } from './imports/ports.ts';
import { readRoutes } from './lists/adapters/http.ts';
import type { DetailOptions } from './lists/adapters/representations.ts';
import { createServiceStoredTracking } from './lists/adapters/service-stored-tracking.ts';
import { openRetention } from './retention/adapters/open-retention.ts';
import { readRetentionConfig } from './retention/adapters/retention-config.ts';
import { createForecastExpiry } from './retention/forecast-expiry.ts';
import { createTenantRetentions } from './retention/tenant-retention-store.ts';
import { createForecastStore } from './store/forecast-store.ts';
import { ForecastWriter } from './store/forecast-writer.ts';
import { createWarehouseStore } from './store/warehouse-store.ts';
import { followNumberLimits } from './submission/adapters/follow-number-limits.ts';
import { submissionRoutes } from './submission/adapters/http-submissions.ts';
import { createCancelForecast } from './submission/cancel-forecast.ts';
import type { CheckOptions } from './submission/check-content.ts';
import { createCorrectForecast } from './submission/correct-forecast.ts';
import { NumberLimits } from './submission/number-limits.ts';
import { createSubmitBatch, createValidateBatch } from './submission/submit-batch.ts';
import { createSubmitForecast } from './submission/submit-forecast.ts';
import { createValidateForecast } from './submission/validate-forecast.ts';
import { createWarehouseDirectory } from './submission/warehouse-directory.ts';

type Stores = Awaited<ReturnType<typeof openStores>>;

async function openStores(platform: Platform) {
  const { store, check, lease, relay, tenantData } = await platform.openStore('forecast', forecastCollections);
  return {
    store: createForecastStore(store, check),
    relay,
    idempotency: createIdempotencyStore(store),
    warehouses: createWarehouseStore(store),
    tenantData: (files: Pick<ImportFiles, 'delete'>) => createTenantData(store, files, tenantData),
    expiry: createForecastExpiry(store, () => platform.clock.now()),
    retentions: createTenantRetentions(store),
    usage: createUsageStore(store),
    imports: createImportStore(store),
    importStops: createImportStops(store),
    lease,
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
  const checks: CheckOptions = {
    numberLimits,
    warehouses: createWarehouseDirectory({ store: warehouses, clock }),
    files: {
      read: (tenantId, url) => readFileUrl(fileSecrets, { tenantId, environment }, url),
      namesAny: (barcodes, numbers) => namesAnyNumber(fileSecrets, barcodes, numbers),
    },
  };
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

/** Keeps what the gateway publishes of warehouses and of tenants. */
const gatewayHandlers = ({ warehouses, retentions }: Stores, imports: Imports) =>
  ({
    'warehouse.opened': ({ data }) => warehouses.record({ code: data.warehouse_code, version: data.version, isOpen: true }),
    'warehouse.closed': ({ data }) => warehouses.record({ code: data.warehouse_code, version: data.version, isOpen: false }),
    'tenant.retention-changed': ({ data: { tenant_id: tenantId, version, forecast_days: forecastDays, file_days: fileDays } }) =>
      retentions.record({ tenantId, version, forecastDays, fileDays }),
    ...imports.handlers,
  }) satisfies EventHandlers;

const readSettings = (env: Environ, environment: Environment) =>
  loadSections(env, { forecast: readForecastConfig, retention: (each) => readRetentionConfig(each, environment) });

/** Forecasts: submission, status, measurements and image lists. */
export const forecastService = defineService({
  name: 'forecast',
  calls: ['tracking', 'warehouse-intake'],
  uses: ['object-store', 'public-address'],
  collections: forecastCollections,
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
    const { store, relay, idempotency: keys } = stores;
    const blobs = await platform.openBlobs('imports');
    const { kinds, erased } = stores.tenantData(blobs);
    const tenantData = openTenantData(platform, 'forecast', { kinds: [...kinds, archiveKind(platform.openArchive())], erased });
    const idempotency = new Idempotency({ store: keys, clock, logger });
    const retention = openRetention(platform, logger, kept, {
      ...stores,
      detail,
      notify: () => relay.notify(),
      isErased: tenantData.isErased,
    });
    const client = platform.otherServices.openClient();
    const usage = openUsage(platform, 'forecast', { store: stores.usage, isErased: tenantData.isErased });
    const numberLimits = new NumberLimits();
    const useCases = createUseCases(platform, stores, relay, client, usage, numberLimits);
    const handle = createEventHandler(createApplyFacts({ writer: useCases.writer, clock }));
    const { submit, validate } = useCases;
    const imports = openImports(platform, logger, { ...stores, blobs, submit, validate, idempotency, isErased: tenantData.isErased });
    const parts = [retention, imports, followNumberLimits(numberLimits, client, { environment, logger })];
    let subscriptions: readonly Subscription[] = [];
    return {
      app: createServiceApp({
        logger,
        verifier: platform.principalVerifier,
        settled: platform.settled,
        routes(router) {
          tenantData.routes(router);
          queueRoutes(router, platform.telemetry, 'forecast');
          usage.routes(router);
          imports.routes(router);
          submissionRoutes(router, { ...useCases, idempotency, detail, logger });
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
        await Promise.all([...parts.map((part) => part.stop()), tenantData.stop()]);
        // An import that ends has accepted forecasts yet.
        await usage.stop();
      },
      ready: () => store.check(),
    };
  },
});
