import type { Subscription } from '@parcelway/bus/bus';
import { createServiceApp } from '@parcelway/http/app';
import { defineService, type OpenService, type Platform } from '@parcelway/platform/service';
import { createEventAcceptance } from './accept-event.ts';
import { CONSUMER_GROUP, webhookEventHandlers } from './adapters/events.ts';
import { addWebhookRoutes } from './adapters/http.ts';
import { createHostResolver } from './adapters/resolve-host.ts';
import { openSqliteStores } from './adapters/sqlite-stores.ts';
import { createSigner } from './adapters/standard-webhooks-signer.ts';
import { createUndiciSender } from './adapters/undici-sender.ts';
import { createUrlGuard } from './adapters/url-guard.ts';
import { readWebhookConfig } from './config.ts';
import { Dispatcher, LEASE_MS } from './dispatch-deliveries.ts';
import { EndpointFollower } from './follow-endpoints.ts';
import { UpkeepLoop } from './keep-up.ts';
import { createEndpointManager } from './manage-endpoints.ts';
import type { WebhookStores } from './ports.ts';
import { createRedeliverer } from './redeliver.ts';

/** Due deliveries that nothing announced are found within this time. */
const POLL_MS = 500;
/** Changes of endpoints that were made through another process are known within this time. */
const FOLLOW_MS = 1000;
/**
 * Running attempts may finish this long after a stop; what hangs longer is cut off and sent again under its webhook-id
 * after the next start. With the writing down of results it fits into the time that a service has to stop.
 */
const DRAIN_MS = 7_000;

async function open(platform: Platform): Promise<OpenService> {
  const { clock, environment } = platform;
  const logger = platform.logger.child({ service: 'webhook' });
  const config = readWebhookConfig(platform.env);
  const stores = await platform.openStores<Promise<WebhookStores> | WebhookStores>('webhook', {
    sqlite: openSqliteStores,
    mongo: async (db) => (await import('./adapters/mongo-stores.ts')).openMongoStores(db),
  });
  const resolve = createHostResolver(config.allowedNetworks);
  const sender = createUndiciSender({ allowed: config.allowedNetworks, resolve });
  const upkeep = new UpkeepLoop({ upkeep: stores.upkeep, clock, logger, retentionMs: config.retentionMs });
  const tools = { sender, sign: createSigner(), schedule: config.schedule, clock, random: Math.random };
  const dispatcher = new Dispatcher({ queue: stores.queue, tools, clock, logger, pollMs: POLL_MS, onDisabled: () => upkeep.nudge() });
  const follower = new EndpointFollower({ endpoints: stores.endpoints, runner: dispatcher, logger, everyMs: FOLLOW_MS });
  const shared = { endpoints: stores.endpoints, runner: dispatcher, clock };
  const endpoints = createEndpointManager({
    ...shared,
    guard: createUrlGuard(config.allowedNetworks, resolve, environment),
    onUpkeepNeeded: () => upkeep.nudge(),
  });
  const acceptance = createEventAcceptance({
    ...shared,
    intake: stores.intake,
    schedule: config.schedule,
    random: Math.random,
    environment,
    leaseMs: LEASE_MS,
  });
  const redeliverer = createRedeliverer({ ...shared, redelivery: stores.redelivery });
  let subscription: Subscription | undefined;

  return {
    app: createServiceApp({
      logger,
      verifier: platform.principalVerifier,
      routes: (router) => addWebhookRoutes(router, { endpoints, acceptance, redeliverer, log: stores.log }),
    }),
    async start() {
      upkeep.start();
      dispatcher.start();
      follower.start();
      subscription = await platform.bus.subscribe(CONSUMER_GROUP, webhookEventHandlers(acceptance.accept));
    },
    async stop() {
      await subscription?.stop();
      await upkeep.stop();
      await follower.stop();
      await dispatcher.stop(DRAIN_MS);
      await sender.close();
    },
    async ready() {
      // The store answers; everything else is either in this process or the receivers' affair.
      await stores.endpoints.list('');
    },
  };
}

/** Tells merchants of their parcels: endpoints, deliveries, attempts. */
export const webhookService = defineService({
  name: 'webhook',
  calls: [],
  uses: [],
  collections: async () => (await import('./adapters/mongo-schema.ts')).webhookCollections,
  open,
});
