import type { Subscription } from '@parcelway/bus/bus';
import { createServiceApp } from '@parcelway/http/app';
import { Idempotency } from '@parcelway/http/idempotency';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { openTenantData } from '@parcelway/platform/erasure/open-tenant-data';
import { queueRoutes } from '@parcelway/platform/queues/service-queues';
import { defineService, type OpenService, type Platform } from '@parcelway/platform/service';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { carrierRoutes } from './accounts/adapters/http-carriers.ts';
import { addConnectionRoutes } from './accounts/adapters/http-connections.ts';
import { createDetailsReader } from './accounts/adapters/read-details.ts';
import { createConnectionTester } from './accounts/adapters/test-connection.ts';
import { createCallLedgers } from './accounts/call-ledgers.ts';
import { Connections } from './accounts/connections.ts';
import { createResealing } from './accounts/reseal-connections.ts';
import { trackingCollections } from './collections.ts';
import { createTenantData } from './erasure/adapters/tenant-data.ts';
import { trackingSources } from './sources/source-list.ts';
import { createShipmentArchive } from './watch/adapters/archive-shipments.ts';
import { openSources } from './watch/adapters/ask-sources.ts';
import { createEventHandler, FOLLOWED, GROUP } from './watch/adapters/events.ts';
import { trackingRoutes } from './watch/adapters/http.ts';
import { pushRoutes } from './watch/adapters/http-pushes.ts';
import { createReceivePush } from './watch/adapters/receive-push.ts';
import { credentialSecrets, readTrackingConfig, type TrackingConfig } from './watch/adapters/tracking-config.ts';
import { createRetentionTimer } from './watch/expire-shipments.ts';
import { createPoller } from './watch/poll-shipments.ts';
import { createRefreshShipment } from './watch/refresh-shipment.ts';
import type { ForecastName } from './watch/retention.ts';
import { createTrackingStore } from './watch/tracking-store.ts';
import { watchBacklog, watchConnections } from './watch/watch-gauges.ts';

type Stores = Awaited<ReturnType<typeof openStores>>;

const DAY_MS = 86_400_000;
/** Name of the work that deletes old shipments. */
const RETENTION = 'shipment-retention';

async function openStores(platform: Platform) {
  const { store, check, lease, relay, tenantData } = await platform.openStore('tracking', trackingCollections);
  return {
    store: createTrackingStore(store, { environment: platform.environment, notify: () => relay.notify() }),
    documents: store,
    check,
    ledgers: createCallLedgers(store),
    keys: createIdempotencyStore(store),
    retentionLease: lease(RETENTION),
    tenantData: createTenantData(store, createTextSealer(platform.sealSecrets), tenantData),
  };
}

/** Whatever is asked for parcels: connections, and in the sandbox the simulated carrier. */
function openAllSources(platform: Platform, config: TrackingConfig, { store, documents, ledgers }: Stores) {
  const { environment, clock, sealSecrets } = platform;
  const logger = platform.logger.child({ service: 'tracking' });
  const telemetry = platform.telemetry.of('tracking');
  const timeoutMs = config.CARRIER_TIMEOUT_MS;
  const sealer = createTextSealer(credentialSecrets(config, sealSecrets));
  const kept = { store: documents, sealer, logger };
  const connections = new Connections({ ...kept, configured: config.TRACKING_SOURCES, sources: trackingSources, clock });
  const detailsOf = createDetailsReader(createTextSealer(sealSecrets), logger);
  const shared = { ledgers, record: store.record, detailsOf, timeoutMs, clock, logger, telemetry };
  const sources = openSources({ environment, connections, shipments: store, sources: trackingSources, simulated: store, ...shared });
  const test = createConnectionTester(connections, sources, clock, logger);
  return { connections, sources, test, resealing: createResealing(kept) };
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
  const retention = createRetentionTimer({ retention: store, clock, logger, keepMs, archive, metrics }, retentionLease);
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
  const { store } = stores;
  const tenantData = openTenantData(platform, 'tracking', stores.tenantData);
  const endWatch = watchBacklog(platform.telemetry, store, clock);
  const { connections, sources, test, resealing } = openAllSources(platform, config, stores);
  const idempotency = new Idempotency({ store: stores.keys, clock, logger });
  const { record } = store;
  const refresh = createRefreshShipment({ sources, record, clock });
  const schedule = config.TRACKING_POLL_SCHEDULE;
  const polling = { queue: store, record, refresh, release: sources.release, schedule, clock, logger, telemetry };
  const poller = createPoller({ ...polling, random: Math.random });
  const wake = (): void => poller.wake();
  const { metrics } = telemetry;
  const receive = createReceivePush({ connections, sources, shipments: store, record, clock, logger, metrics });
  const endCalls = watchConnections(platform.telemetry, { connections, sources: trackingSources, ledgers: stores.ledgers, clock });
  const { retention, expire } = openRetention(platform, config, stores, tenantData.isErased);
  let subscription: Subscription | undefined;
  return {
    app: createServiceApp({
      logger,
      verifier: platform.principalVerifier,
      settled: platform.settled,
      routes(router) {
        tenantData.routes(router);
        queueRoutes(router, platform.telemetry, 'tracking');
        trackingRoutes(router, {
          environment,
          query: { shipments: store, refresh },
          simulate: { shipments: store, parcels: store, record, clock, wake },
        });
        carrierRoutes(router, connections, environment);
        const { publicBaseUrl } = platform;
        addConnectionRoutes(router, { connections, sources: trackingSources, test, idempotency, publicBaseUrl });
        pushRoutes(router, receive);
      },
    }),
    async start() {
      await tenantData.start();
      const handle = createEventHandler({ record, clock, wake, expire });
      subscription = await tenantData.bus.subscribeBatch(GROUP, FOLLOWED, handle, { isUnhurried: true });
      poller.start();
      retention.start();
      void resealing.start();
    },
    async stop() {
      endWatch();
      endCalls();
      await Promise.all([subscription?.stop(), poller.stop(), retention.stop(), resealing.stop(), tenantData.stop()]);
      await sources.close();
    },
    ready: () => stores.check(),
  };
}

/** Watches dispatched parcels: asks the carrier at each tracking query, and publishes each change of status. */
export const trackingService = defineService({
  name: 'tracking',
  calls: [],
  uses: ['object-store', 'public-address'],
  collections: trackingCollections,
  settings: readTrackingConfig,
  open,
});
