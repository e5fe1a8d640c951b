import type { Subscription } from '@parcelway/bus/bus';
import { createServiceApp } from '@parcelway/http/app';
import { Idempotency } from '@parcelway/http/idempotency';
import type { Logger } from '@parcelway/kernel/logger';
import { UsageCounter } from '@parcelway/kernel/usage-counter';
import { openTenantData } from '@parcelway/platform/erasure/open-tenant-data';
import { queueRoutes } from '@parcelway/platform/queues/service-queues';
import { defineService, type OpenService, type Platform } from '@parcelway/platform/service';
import { type OpenUsage, openUsage } from '@parcelway/platform/usage/open-usage';
import type { Router } from 'express';
import { addWebhookRoutes, createWebhookCursors, type WebhookApi } from './adapters/http.ts';
import { webhookCollections } from './collections.ts';
import { readWebhookConfig } from './config.ts';
import { createServiceFullContent } from './dispatch/adapters/service-full-content.ts';
import { createUndiciSender } from './dispatch/adapters/undici-sender.ts';
import { Dispatcher } from './dispatch/dispatcher.ts';
import { endpointStates } from './dispatch/domain/lane.ts';
import { firstWaitMs } from './dispatch/domain/retry-schedule.ts';
import { followEndpoints } from './dispatch/follow-endpoints.ts';
import { type FullOutcome, FullPayloads } from './dispatch/full-payloads.ts';
import { createAttemptReport } from './dispatch/report-attempt.ts';
import { createHostResolver, createUrlGuard } from './endpoints/adapters/resolve-host.ts';
import { createEndpointManager } from './endpoints/manage-endpoints.ts';
import { createListener } from './feed/listen.ts';
import { createEventAcceptance } from './intake/accept-events.ts';
import { notifiedEventTypes } from './intake/domain/notified-events.ts';
import { tenantEventOf } from './intake/domain/tenant-event.ts';
import { countAttempt, createEndpointFigures } from './queue/endpoint-figures.ts';
import { createRedeliverer } from './queue/redeliver.ts';
import { createMaintenance } from './retention/maintenance.ts';
import { openStores, type WebhookStores } from './stores.ts';

const CONSUMER_GROUP = 'webhook';
/**
 * Running attempts may finish this long after a stop; what hangs longer is cut off and sent again under its webhook-id
 * after the next start. With the writing down of results it fits into the time that a service has to stop.
 */
const DRAIN_MS = 7_000;

interface Counters {
  readonly usage: Pick<OpenUsage, 'add'>;
  readonly deliveries: Pick<UsageCounter, 'add'>;
}

function compose(platform: Platform, stores: WebhookStores, logger: Logger, { usage, deliveries }: Counters) {
  const { clock, environment, rateLimiter, fileSecret } = platform;
  const { allowedNetworks, schedule, retentionMs, eventRetentionMs, accessLog } = readWebhookConfig(platform.env);
  const telemetry = platform.telemetry.of('webhook');
  const { endpoints } = stores;
  const resolve = createHostResolver(allowedNetworks);
  const sender = createUndiciSender({ allowed: allowedNetworks, resolve });
  const random = Math.random;
  const onDisabled = (): void => maintenance.wake();
  const observe = createAttemptReport({ telemetry, logger, accessLog });
  const report: typeof observe = (result, heldBack) => {
    countAttempt(deliveries, result);
    observe(result, heldBack);
  };
  const content = createServiceFullContent(platform.otherServices.openClient(), environment);
  const onFullPayload = (outcome: FullOutcome): void => telemetry.metrics.count('parcelway_webhook_full_payloads_total', { outcome });
  const full = new FullPayloads({ content, clock, logger, random, onOutcome: onFullPayload });
  const attempts = { sender, schedule, full, clock, random };
  const dispatcher = new Dispatcher({ queue: stores.queue, rateLimiter, attempts, clock, logger, report, onDisabled });
  const { scheduler } = dispatcher;
  platform.telemetry.readWhenExposed('webhook', 'webhooks that are due', async () => {
    const now = clock.now();
    const { count, oldestDueAt } = await stores.queue.backlog(now);
    telemetry.metrics.set('parcelway_webhook_due_deliveries', {}, count);
    telemetry.metrics.set('parcelway_webhook_oldest_due_age_seconds', {}, (now - oldestDueAt) / 1000);
  });
  platform.telemetry.readWhenExposed('webhook', 'states of endpoints', async () => {
    for (const [state, count] of Object.entries(endpointStates(scheduler.lanes)))
      telemetry.metrics.set('parcelway_webhook_endpoints', { state }, count);
  });
  const follower = followEndpoints({ endpoints, runner: scheduler, logger });
  const shared = { endpoints, runner: scheduler, clock };
  const acceptance = createEventAcceptance({
    ...shared,
    intake: stores.intake,
    log: stores.log,
    firstWaitMs: (event) => firstWaitMs(event, schedule, random()),
    environment,
    onAccepted: (tenantId) => usage.add(tenantId, 'events'),
  });
  const { documents: store } = stores;
  const maintenance = createMaintenance({ ...shared, store, logger, retentionMs, eventRetentionMs, acceptance });
  const refusalOfUrl = createUrlGuard(allowedNetworks, resolve, environment);
  const manager = createEndpointManager({ ...shared, refusalOfUrl, onMaintenanceNeeded: onDisabled });
  const api: WebhookApi = {
    endpoints: manager,
    figures: createEndpointFigures(manager, stores.deliveryDays, clock),
    acceptance,
    redeliverer: createRedeliverer({ ...shared, store, retentionMs }),
    log: stores.log,
    feed: stores.feed,
    listener: createListener({ feed: stores.feed, endpoints, clock, masterSecret: fileSecret }),
    cursors: createWebhookCursors(platform.fileSecrets),
    idempotency: new Idempotency({ store: stores.idempotency, clock, logger }),
    clock,
  };
  return { api, acceptance, dispatcher, follower, maintenance, sender };
}

async function open(platform: Platform): Promise<OpenService> {
  const logger = platform.logger.child({ service: 'webhook' });
  const stores = await openStores(await platform.openStore('webhook', webhookCollections), platform.clock.now());
  const tenantData = openTenantData(platform, 'webhook', stores.tenantData);
  const usage = openUsage(platform, 'webhook', { store: stores.usage, isErased: tenantData.isErased });
  const deliveries = new UsageCounter({ store: stores.deliveryDays, clock: platform.clock, logger, isErased: tenantData.isErased });
  const { api, acceptance, dispatcher, follower, maintenance, sender } = compose(platform, stores, logger, { usage, deliveries });
  const routes = (router: Router): void => {
    tenantData.routes(router);
    queueRoutes(router, platform.telemetry, 'webhook');
    usage.routes(router);
    addWebhookRoutes(router, api, platform.environment);
  };
  let subscription: Subscription | undefined;

  return {
    app: createServiceApp({ logger, verifier: platform.principalVerifier, settled: platform.settled, routes }),
    async start() {
      await tenantData.start();
      maintenance.start();
      usage.start();
      deliveries.start();
      dispatcher.start();
      follower.start();
      subscription = await tenantData.bus.subscribeBatch(
        CONSUMER_GROUP,
        notifiedEventTypes,
        (events) => acceptance.accept(events.map(tenantEventOf)),
        { settle: acceptance.settled },
      );
    },
    endWaiting: api.listener.endWaiting,
    async stop() {
      await subscription?.stop();
      await maintenance.stop();
      await follower.stop();
      await dispatcher.stop(DRAIN_MS);
      await Promise.all([sender.close(), usage.stop(), deliveries.stop(), tenantData.stop()]);
    },
    async ready() {
      // The store responds; everything else is either in this process or the receivers' affair.
      await stores.endpoints.list('');
    },
  };
}

/** Notifies merchants of their parcels: endpoints, deliveries, attempts. */
export const webhookService = defineService({
  name: 'webhook',
  calls: ['forecast', 'tracking'],
  uses: ['redis'],
  collections: webhookCollections,
  settings: readWebhookConfig,
  open,
});
