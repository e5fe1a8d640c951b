import { BACKGROUND_GATHER_MS, type Subscription } from '@parcelway/bus/bus';
import { createServiceApp } from '@parcelway/http/app';
import { Idempotency } from '@parcelway/http/idempotency';
import type { IdempotencyStore } from '@parcelway/kernel/idempotency-store';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { SkippedItems } from '@parcelway/kernel/skipped-items';
import type { TenantData } from '@parcelway/kernel/tenant-data';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import { openTenantData } from '@parcelway/platform/erasure/open-tenant-data';
import type { OutboxSource } from '@parcelway/platform/outbox';
import { createCleanUp } from '@parcelway/platform/policies/clean-up';
import { queueRoutes } from '@parcelway/platform/queues/service-queues';
import { defineService, type OpenService, type Platform } from '@parcelway/platform/service';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createLoneWorkLease, createWorkLease } from '@parcelway/store/shared/work-leases';
import { createSqliteStore } from '@parcelway/store/sqlite/sqlite-store';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import type { Store } from '@parcelway/store/store';
import { createDetailsReader } from './accounts/adapters/asked-parcel.ts';
import { carrierRoutes } from './accounts/adapters/http-carriers.ts';
import { addConnectionRoutes } from './accounts/adapters/http-connections.ts';
import { createConnectionTester } from './accounts/adapters/test-connection.ts';
import { type CallLedgers, createCallLedgers } from './accounts/call-ledgers.ts';
import { type ConnectionStore, createConnectionStore } from './accounts/connection-store.ts';
import { createFindConnections } from './accounts/find-connections.ts';
import { ConnectionManager } from './accounts/manage-connections.ts';
import { createResealing } from './accounts/reseal-connections.ts';
import { trackingCollections } from './collections.ts';
import { createTenantData } from './erasure/adapters/tenant-data.ts';
import { trackingSources } from './sources/source-list.ts';
import { createShipmentArchive } from './watch/adapters/archive-shipments.ts';
import { openSources } from './watch/adapters/ask-sources.ts';
import { createEventHandler, FOLLOWED, GROUP } from './watch/adapters/events.ts';
import { trackingRoutes } from './watch/adapters/http.ts';
import { pushRoutes } from './watch/adapters/http-pushes.ts';
import { createPushReader } from './watch/adapters/read-pushes.ts';
import { credentialSecrets, readTrackingConfig, type TrackingConfig } from './watch/adapters/tracking-config.ts';
import { createRetentionTimer } from './watch/expire-shipments.ts';
import { parcels } from './watch/parcels-collection.ts';
import { createPoller } from './watch/poll-shipments.ts';
import { PushTelemetry } from './watch/push-telemetry.ts';
import { createReceivePush } from './watch/receive-push.ts';
import { createRecordFacts } from './watch/record-facts.ts';
import { createRefreshShipment } from './watch/refresh-shipment.ts';
import type { ForecastName } from './watch/retention.ts';
import { createTrackingStore, type TrackingStore } from './watch/tracking-store.ts';
import { watchBacklog, watchConnections } from './watch/watch-gauges.ts';

interface Stores {
  /** With {@link trackingCollections}. */
  readonly documents: Store;
  readonly store: TrackingStore;
  readonly connections: ConnectionStore;
  readonly ledgers: CallLedgers;
  readonly keys: IdempotencyStore;
  readonly outbox: OutboxSource | undefined;
  readonly retentionLease: WorkLease;
  readonly tenantData: TenantData;
}

const DAY_MS = 86_400_000;
/** Name of the work that deletes old shipments. */
const RETENTION = 'shipment-retention';
/** Shipments that the archive cannot take. Each turn of the clean-up reads them beside the others. */
const MAX_SKIPPED = 1000;

function openStores(platform: Platform): Promise<Stores> {
  const sealer = createTextSealer(platform.sealSecrets);
  const storesOf = (documents: Store, check: () => Promise<void>) => ({
    documents,
    store: createTrackingStore(documents, check),
    connections: createConnectionStore(documents),
    ledgers: createCallLedgers(documents),
    keys: createIdempotencyStore(documents),
    tenantData: createTenantData(documents, sealer),
  });
  return platform.openStores<Stores>('tracking', {
    sqlite(db, log) {
      db.migrate([sqliteSchema(trackingCollections)]);
      const documents = createSqliteStore({ db, log });
      const check = async () => void db.get('SELECT 1 AS one');
      const stores = storesOf(documents, check);
      return { ...stores, outbox: undefined, retentionLease: createLoneWorkLease(documents, RETENTION) };
    },
    async mongo(db) {
      const { createMongoStore } = await import('@parcelway/store/mongo/mongo-store');
      const documents = createMongoStore(db, () => platform.clock.now());
      const stores = storesOf(documents, () => db.check());
      return { ...stores, outbox: documents.outbox(parcels), retentionLease: createWorkLease(documents, RETENTION) };
    },
  });
}

/** Whatever is asked for parcels: connections, and in the sandbox the simulated carrier. */
function openAllSources(platform: Platform, config: TrackingConfig, { store, connections: stored, ledgers }: Stores) {
  const { environment, clock, sealSecrets } = platform;
  const logger = platform.logger.child({ service: 'tracking' });
  const telemetry = platform.telemetry.of('tracking');
  const timeoutMs = config.CARRIER_TIMEOUT_MS;
  const configured = config.TRACKING_SOURCES;
  const sealer = createTextSealer(credentialSecrets(config, sealSecrets));
  const connections = createFindConnections({ configured, store: stored, sealer, clock, logger });
  const detailsOf = createDetailsReader(createTextSealer(sealSecrets), logger);
  const shared = { ledgers, detailsOf, timeoutMs, clock, logger, telemetry };
  const sources = openSources({ environment, connections, shipments: store, sources: trackingSources, simulated: store, ...shared });
  const testConnection = createConnectionTester(sources, clock, logger);
  const managing = { store: stored, sealer, configured, sources: trackingSources, find: connections, testConnection, clock, logger };
  const manager = new ConnectionManager(managing);
  const resealing = createResealing({ store: stored, sealer, logger });
  return { connections, sources, detailsOf, manager, resealing };
}

/** The clean-up, and what ends the keeping of forecasts at once. */
function openRetention(
  platform: Platform,
  config: TrackingConfig,
  { store, retentionLease }: Stores,
  isErased: (tenantId: string) => boolean,
) {
  const { clock } = platform;
  const logger = platform.logger.child({ service: 'tracking' });
  const archive = config.ARCHIVE === 'on' ? createShipmentArchive(platform.openArchive(), store, clock, isErased) : undefined;
  const keepMs = config.TRACKING_RETENTION_DAYS * DAY_MS;
  const { metrics } = platform.telemetry.of('tracking');
  const skipped = new SkippedItems(MAX_SKIPPED);
  const retention = createRetentionTimer({ retention: store, clock, logger, keepMs, archive, skipped, metrics }, retentionLease);
  const expire = async (forecasts: readonly ForecastName[]): Promise<void> => {
    await store.age(forecasts);
    retention.wake();
  };
  return { retention, expire };
}

async function open(platform: Platform): Promise<OpenService> {
  const { environment, clock } = platform;
  const config = readTrackingConfig(platform.env);
  const logger = platform.logger.child({ service: 'tracking' });
  const telemetry = platform.telemetry.of('tracking');
  const stores = await openStores(platform);
  const { store, outbox } = stores;
  const tenantData = openTenantData(platform, 'tracking', stores.tenantData);
  const endWatch = watchBacklog(platform.telemetry, store, clock);
  const relay = platform.startRelay('tracking', outbox);
  const { connections, sources, detailsOf, manager, resealing } = openAllSources(platform, config, stores);
  const idempotency = new Idempotency({ store: stores.keys, clock, logger });
  const cleanUp = createCleanUp(trackingCollections, { store: stores.documents, clock, logger });
  const record = createRecordFacts({ parcels: store, environment, notify: () => relay.notify() });
  const refresh = createRefreshShipment({ sources, record, clock });
  const schedule = config.TRACKING_POLL_SCHEDULE;
  const polling = { queue: store, record, refresh, release: sources.release, schedule, clock, logger, telemetry };
  const poller = createPoller({ ...polling, random: Math.random });
  const wake = (): void => poller.wake();
  const pushes = createPushReader({ sources, detailsOf, now: () => clock.now(), logger });
  const pushTelemetry = new PushTelemetry(telemetry);
  const receive = createReceivePush({ connections, pushes, shipments: store, record, clock, logger, telemetry: pushTelemetry, wake });
  const endCalls = watchConnections(platform.telemetry, { connections, sources: trackingSources, ledgers: stores.ledgers, clock });
  const { retention, expire } = openRetention(platform, config, stores, tenantData.isErased);
  let subscription: Subscription | undefined;
  return {
    app: createServiceApp({
      logger,
      verifier: platform.principalVerifier,
      routes(router) {
        tenantData.routes(router);
        queueRoutes(router, platform.telemetry, 'tracking');
        trackingRoutes(router, {
          environment,
          query: { shipments: store, refresh },
          simulate: { shipments: store, parcels: store, record, clock, wake },
        });
        carrierRoutes(router, connections, environment);
        addConnectionRoutes(router, { manager, idempotency, publicBaseUrl: platform.publicBaseUrl });
        pushRoutes(router, receive);
      },
    }),
    async start() {
      await tenantData.start();
      const handle = createEventHandler({ record, clock, wake, expire });
      subscription = await tenantData.bus.subscribeBatch(GROUP, FOLLOWED, handle, { gatherMs: BACKGROUND_GATHER_MS });
      poller.start();
      retention.start();
      cleanUp.start();
      void resealing.start();
    },
    async stop() {
      endWatch();
      endCalls();
      await Promise.all([subscription?.stop(), poller.stop(), retention.stop(), cleanUp.stop(), resealing.stop(), tenantData.stop()]);
      await sources.close();
    },
    ready: () => store.check(),
  };
}

/** Watches dispatched parcels: asks the carrier at each tracking query, and publishes each change of status. */
export const trackingService = defineService({
  name: 'tracking',
  calls: [],
  uses: ['object-store', 'public-address'],
  async collections() {
    const { mongoCollection } = await import('@parcelway/store/mongo/mongo-store-schema');
    return trackingCollections.map(mongoCollection);
  },
  settings: readTrackingConfig,
  open,
});
