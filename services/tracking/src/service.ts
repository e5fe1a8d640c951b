import type { Subscription } from '@parcelway/bus/bus';
import { createServiceApp } from '@parcelway/http/app';
import type { OutboxSource } from '@parcelway/platform/outbox';
import { defineService, type OpenService, type Platform } from '@parcelway/platform/service';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { createEventHandler, FOLLOWED, GROUP } from './adapters/events.ts';
import { trackingRoutes } from './adapters/http.ts';
import { trackingMigrations } from './adapters/sqlite-schema.ts';
import { createSqliteTrackingStore } from './adapters/sqlite-tracking-store.ts';
import { readTrackingConfig } from './adapters/tracking-config.ts';
import { createRetentionTimer } from './expire-shipments.ts';
import { createPoller } from './poll-shipments.ts';
import type { TrackingStore } from './ports.ts';
import { createRecordFacts } from './record-facts.ts';
import { createRefreshShipment } from './refresh-shipment.ts';
import { openCarriers } from './sources/carriers.ts';
import { createSimulatedCarrier } from './sources/simulated/simulated-carrier.ts';
import { watchBacklog } from './watch-backlog.ts';

interface Stores {
  readonly store: TrackingStore;
  readonly outbox: OutboxSource;
}

const DAY_MS = 86_400_000;

function openStores(platform: Platform): Promise<Stores> {
  return platform.openStores<Stores>('tracking', {
    sqlite(db) {
      db.migrate(trackingMigrations);
      const outbox = new SqliteOutbox(db, platform.clock);
      return { store: createSqliteTrackingStore(db, outbox), outbox };
    },
    async mongo(db) {
      const { openMongoStores } = await import('./adapters/mongo-stores.ts');
      return openMongoStores(db, platform.clock);
    },
  });
}

async function open(platform: Platform): Promise<OpenService> {
  const { environment, clock } = platform;
  const config = readTrackingConfig(platform.env);
  const logger = platform.logger.child({ service: 'tracking' });
  const telemetry = platform.telemetry.of('tracking');
  const { store, outbox } = await openStores(platform);
  const endWatch = watchBacklog(platform.telemetry, store, clock);
  const relay = platform.startRelay('tracking', outbox);
  const carriers = openCarriers({
    environment,
    endpoints: config.CARRIERS,
    simulated: createSimulatedCarrier(store),
    timeoutMs: config.CARRIER_TIMEOUT_MS,
    logger,
    telemetry,
  });
  const record = createRecordFacts({ parcels: store, environment, notify: () => relay.notify() });
  const refresh = createRefreshShipment({ carriers, record, clock });
  const schedule = config.TRACKING_POLL_SCHEDULE;
  const poller = createPoller({ queue: store, record, refresh, schedule, clock, logger, telemetry, random: Math.random });
  const wake = (): void => poller.wake();
  const retention = createRetentionTimer({ retention: store, clock, logger, keepMs: config.TRACKING_RETENTION_DAYS * DAY_MS });
  let subscription: Subscription | undefined;
  return {
    app: createServiceApp({
      logger,
      verifier: platform.principalVerifier,
      routes: (router) =>
        trackingRoutes(router, {
          environment,
          query: { shipments: store, refresh },
          simulate: { shipments: store, parcels: store, record, clock, wake },
        }),
    }),
    async start() {
      subscription = await platform.bus.subscribeBatch(GROUP, FOLLOWED, createEventHandler({ record, clock, wake }));
      poller.start();
      retention.start();
    },
    async stop() {
      endWatch();
      await Promise.all([subscription?.stop(), poller.stop(), retention.stop()]);
      await carriers.close();
    },
    ready: () => store.check(),
  };
}

/** Watches dispatched parcels: asks the carrier at each tracking query, and publishes each change of status. */
export const trackingService = defineService({
  name: 'tracking',
  calls: [],
  uses: [],
  collections: async () => (await import('./adapters/mongo-schema.ts')).trackingCollections,
  open,
});
