import type { Subscription } from '@parcelway/bus/bus';
import { createServiceApp } from '@parcelway/http/app';
import type { OutboxSource } from '@parcelway/platform/outbox';
import { defineService, type OpenService, type Platform } from '@parcelway/platform/service';
import { subscribeIntake } from './adapters/events.ts';
import { intakeRoutes } from './adapters/http.ts';
import { limitsIn, readIntakeConfig } from './adapters/intake-config.ts';
import { SqliteIntakeStore } from './adapters/sqlite-intake-store.ts';
import { expireEvents } from './expire-events.ts';
import type { IntakeStore } from './ports.ts';
import { resumeEvents } from './resume-events.ts';
import { watchUnclaimed } from './watch-unclaimed.ts';

const DAY_MS = 86_400_000;
const TEND_EVERY_MS = 60_000;

type Stores = IntakeStore & { readonly outbox: OutboxSource };

function openStores({ openStores: open, clock }: Platform): Promise<Stores> {
  return open<Stores>('warehouse-intake', {
    sqlite: (db) => new SqliteIntakeStore(db, clock),
    mongo: async (db) => (await import('./adapters/mongo-stores.ts')).openMongoStores(db, clock),
  });
}

async function open(platform: Platform): Promise<OpenService> {
  const config = readIntakeConfig(platform.env);
  const { clock, environment, fileSecret } = platform;
  const logger = platform.logger.child({ service: 'warehouse-intake' });
  const store = await openStores(platform);
  const relay = platform.startRelay('warehouse-intake', store.outbox);
  const notify = (): void => relay.notify();
  const report = { recorder: store, clock, logger, environment, fileSecret, notify, limits: limitsIn(config) };
  const endWatch = watchUnclaimed(platform.telemetry, store);

  let subscriptions: readonly Subscription[] = [];
  let timer: NodeJS.Timeout | undefined;
  let tending: Promise<unknown> = Promise.resolve();
  let stopping = false;
  const upkeep = { clock, logger, stopping: () => stopping };
  const tend = async (): Promise<void> => {
    await resumeEvents({ ...upkeep, recovery: store, notify }).catch((error: unknown) =>
      logger.warn({ err: error }, 'Finishing events that were left half done failed; it will be tried again'),
    );
    await expireEvents({ ...upkeep, retention: store, keepMs: config.INTAKE_RETENTION_DAYS * DAY_MS }).catch((error: unknown) =>
      logger.warn({ err: error }, 'Deleting old events failed; it will be tried again'),
    );
  };
  const tendAndWait = (): void => {
    tending = tend().finally(() => {
      if (!stopping) timer = setTimeout(tendAndWait, TEND_EVERY_MS).unref();
    });
  };

  return {
    app: createServiceApp({ logger, verifier: platform.principalVerifier, routes: intakeRoutes({ ...report, parcels: store }) }),
    async start() {
      subscriptions = await subscribeIntake(platform.bus, { directory: store, logger, notify }, report);
      tendAndWait();
    },
    async stop() {
      stopping = true;
      endWatch();
      clearTimeout(timer);
      await Promise.all(subscriptions.map((subscription) => subscription.stop()));
      await tending;
    },
    ready: () => store.check(),
  };
}

/** Takes what warehouses report, over HTTP and from the bus, finds the forecast of each event and publishes it. */
export const warehouseIntakeService = defineService({
  name: 'warehouse-intake',
  calls: [],
  uses: [],
  collections: async () => (await import('./adapters/mongo-schema.ts')).intakeCollections,
  open,
});
