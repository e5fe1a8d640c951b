import type { Subscription } from '@parcelway/bus/bus';
import { documentUrl } from '@parcelway/contracts/document-url';
import { lastingFileUrl } from '@parcelway/contracts/file-receipt';
import { createSsccs } from '@parcelway/contracts/sscc';
import { createServiceApp } from '@parcelway/http/app';
import { Idempotency } from '@parcelway/http/idempotency';
import { createSealedCursors } from '@parcelway/http/sealed-cursor';
import type { Logger } from '@parcelway/kernel/logger';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { type OpenTenantData, openTenantData } from '@parcelway/platform/erasure/open-tenant-data';
import { queueRoutes } from '@parcelway/platform/queues/service-queues';
import { defineService, type OpenService, type Platform } from '@parcelway/platform/service';
import type { Router } from 'express';
import { GROUP, subscribeIntake } from './adapters/events.ts';
import { type IntakeConfig, limitsIn, readIntakeConfig } from './adapters/intake-config.ts';
import { type IntakeStores, openIntakeStores } from './adapters/intake-stores.ts';
import { intakeCollections } from './collections.ts';
import { ChangeMessages } from './expected/adapters/change-messages.ts';
import { createForecastItems, findParcelsRoute, viewRoutes } from './expected/adapters/view-http.ts';
import type { ViewUrls } from './expected/adapters/view-representations.ts';
import { LargeItems } from './expected/large-items.ts';
import { createViewChanges } from './expected/view-store.ts';
import { intakeRoutes } from './reports/adapters/http.ts';
import type { ReportOptions } from './reports/report-events.ts';
import { declaredNumbersRoutes, unclaimedRoutes } from './unclaimed/adapters/unclaimed-http.ts';
import { watchUnclaimed } from './unclaimed/watch-unclaimed.ts';
import { createUpkeep } from './upkeep.ts';

const DAY_MS = 86_400_000;

interface IntakeOptions {
  readonly platform: Platform;
  readonly config: IntakeConfig;
  readonly logger: Logger;
  readonly stores: IntakeStores;
  readonly tenantData: OpenTenantData;
}

/** The intake: takes reports, follows the forecasts that they are matched with, and lets warehouses resolve what waits. */
function openIntake({ platform, config, logger, stores }: IntakeOptions) {
  const { clock, environment, fileSecrets } = platform;
  const { intake, counts, directory, expired, outcomes, rejections, reports, keys, view } = stores;
  const notify = (): void => stores.relay.notify();
  const { metrics } = platform.telemetry.of('warehouse-intake');
  const idempotency = new Idempotency({ store: keys, clock, logger });
  const cursors = createSealedCursors(fileSecrets, 'unclaimed parcels');
  const count = (action: string): void => metrics.count('parcelway_intake_resolutions_total', { action });
  const report: ReportOptions = {
    recorder: intake,
    reports,
    rejections,
    clock,
    logger,
    environment,
    fileSecrets,
    sealer: createTextSealer(platform.sealSecrets),
    notify,
    limits: limitsIn(config),
  };
  return {
    report,
    follow: { intake, directory, expired, logger, notify },
    notify,
    routes(router: Router): void {
      intakeRoutes({ ...report, parcels: intake })(router);
      declaredNumbersRoutes(router, counts);
      const scans = { view, directory, counts };
      unclaimedRoutes(router, { resolutions: intake, outcomes, rejections, scans, cursors, idempotency, logger, notify, count });
    },
  };
}

/**
 * Publishes what systems outside are to hear of the view, apart from the events of the platform, which never wait for it. Nobody says when
 * there is something: the relay looks once a second, so that many changes share the work. With the topic switched off, what was written
 * down before still goes out.
 */
function relayChanges({ stores: { store, reports, relayApart }, tenantData }: IntakeOptions, seesPrices: boolean, urls: ViewUrls): void {
  const { isErased } = tenantData;
  const relay = relayApart?.((outbox) => {
    const changes = { ...createViewChanges(store), outbox };
    return new ChangeMessages({ changes, reports, seesPrices, urls, isErased, more: () => relay?.notify() });
  });
}

/** The warehouses' view: its routes, what follows the forecasts for it, and publishes its changes. */
function openView(options: IntakeOptions) {
  const { platform, config, logger, stores } = options;
  const seesPrices = config.WAREHOUSE_SEES_PRICES === 'on';
  const { environment, fileSecrets, numberSecret, publicBaseUrl } = platform;
  const urls: ViewUrls = {
    lasting: (tenantId, url) => lastingFileUrl(fileSecrets, { tenantId, environment }, url),
    document: (document) => documentUrl(numberSecret, publicBaseUrl, environment, document),
  };
  const ssccOf = createSsccs(numberSecret, config.GS1_COMPANY_PREFIX);
  relayChanges(options, seesPrices, urls);
  const { view, reports, outcomes, directory, counts } = stores;
  const cursors = createSealedCursors(fileSecrets, 'warehouse forecasts');
  const items = createForecastItems(platform.otherServices.openClient(), environment);
  const large = new LargeItems({
    directory,
    items,
    ssccOf,
    logger,
    deadLetter: (event, error) => platform.bus.deadLetter(GROUP, event, error),
  });
  return {
    routes(router: Router): void {
      const scans = { view, directory, counts };
      viewRoutes({ ...scans, reports, cursors, seesPrices, urls })(router);
      findParcelsRoute({ ...scans, outcomes })(router);
    },
    follow: { large, ssccOf },
    close: () => large.stop(),
  };
}

/**
 * Opens the service. Started, it follows forecasts and takes reports from the bus, and tends its stores. It stops in the order
 * in which nothing begins that would find something closed: the background work, then what serves requests.
 */
async function open(platform: Platform): Promise<OpenService> {
  const config = readIntakeConfig(platform.env);
  const logger = platform.logger.child({ service: 'warehouse-intake' });
  const stores = await openIntakeStores(platform, config, (tenantId) => tenantData.isErased(tenantId));
  const tenantData: OpenTenantData = openTenantData(platform, 'warehouse-intake', stores.tenantData);
  const options: IntakeOptions = { platform, config, logger, stores, tenantData };
  const intake = openIntake(options);
  const view = openView(options);
  const { clock } = platform;
  const upkeep = createUpkeep({ ...stores, clock, logger, notify: intake.notify, keepMs: config.INTAKE_RETENTION_DAYS * DAY_MS });
  const endWatch = watchUnclaimed(platform.telemetry, stores.intake, stores.counts);
  const routes = (router: Router): void => {
    tenantData.routes(router);
    queueRoutes(router, platform.telemetry, 'warehouse-intake');
    intake.routes(router);
    view.routes(router);
  };
  let subscriptions: readonly Subscription[] = [];

  return {
    app: createServiceApp({ logger, verifier: platform.principalVerifier, settled: platform.settled, routes }),
    async start() {
      await tenantData.start();
      subscriptions = await subscribeIntake(tenantData.bus, { ...intake.follow, ...view.follow }, intake.report);
      upkeep.start();
    },
    async stop() {
      endWatch();
      await Promise.all([...subscriptions.map((subscription) => subscription.stop()), upkeep.stop()]);
      await tenantData.stop();
      view.close();
    },
    ready: () => stores.check(),
  };
}

/** Takes what warehouses report, over HTTP and from the bus, finds the forecast of each event and publishes it. */
export const warehouseIntakeService = defineService({
  name: 'warehouse-intake',
  calls: ['forecast'],
  uses: ['public-address'],
  collections: intakeCollections,
  settings: readIntakeConfig,
  open,
});
