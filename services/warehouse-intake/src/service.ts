import type { Subscription } from '@parcelway/bus/bus';
import { createServiceApp } from '@parcelway/http/app';
import { integer, loadConfig } from '@parcelway/platform/config';
import { defineService, type OpenService, type Platform } from '@parcelway/platform/service';
import { subscribeIntake } from './adapters/events.ts';
import { intakeRoutes } from './adapters/http.ts';
import { SqliteIntakeStore } from './adapters/sqlite-intake-store.ts';
import { expireEvents } from './expire-events.ts';

const DAY_MS = 86_400_000;
const PURGE_EVERY_MS = 60_000;

async function open(platform: Platform): Promise<OpenService> {
  const config = loadConfig<{ INTAKE_RETENTION_DAYS: number }>(platform.env, {
    // More than the days that topics are kept: a message that comes again must still meet the event of the first time.
    INTAKE_RETENTION_DAYS: integer(90, 8, 3650),
  });
  const { clock, environment, fileSecret } = platform;
  const logger = platform.logger.child({ service: 'warehouse-intake' });
  const store = await platform.openStores('warehouse-intake', { sqlite: (db) => new SqliteIntakeStore(db, clock) });
  const relay = platform.startRelay('warehouse-intake', store.outbox);
  const notify = (): void => relay.notify();
  const report = { recorder: store, clock, logger, environment, fileSecret, notify };

  let subscriptions: readonly Subscription[] = [];
  let timer: NodeJS.Timeout | undefined;
  let purge: Promise<unknown> = Promise.resolve();
  let stopping = false;
  const expiry = { retention: store, clock, logger, keepMs: config.INTAKE_RETENTION_DAYS * DAY_MS, stopping: () => stopping };
  const purgeAndWait = (): void => {
    purge = expireEvents(expiry)
      .catch((error: unknown) => logger.warn({ err: error }, 'Deleting old events failed; it will be tried again'))
      .finally(() => {
        if (!stopping) timer = setTimeout(purgeAndWait, PURGE_EVERY_MS).unref();
      });
  };

  return {
    app: createServiceApp({ logger, verifier: platform.principalVerifier, routes: intakeRoutes({ ...report, parcels: store }) }),
    async start() {
      subscriptions = await subscribeIntake(platform.bus, { directory: store, logger, notify }, report);
      purgeAndWait();
    },
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await Promise.all(subscriptions.map((subscription) => subscription.stop()));
      await purge;
    },
    ready: () => store.check(),
  };
}

/** Takes what warehouses report, over HTTP and from the bus, finds the forecast of each event and publishes it. */
export const warehouseIntakeService = defineService({ name: 'warehouse-intake', open });
