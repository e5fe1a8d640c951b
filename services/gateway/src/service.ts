import type { Server } from 'node:http';
import { join } from 'node:path';
import { createServiceApp } from '@parcelway/http/app';
import { Idempotency } from '@parcelway/http/idempotency';
import { durableResponses } from '@parcelway/http/response';
import { listen } from '@parcelway/http/server';
import { newToken } from '@parcelway/kernel/ids';
import { readQueues } from '@parcelway/platform/queues/service-queues';
import { defineService, type Platform, type PublicAddresses, type PublicServer } from '@parcelway/platform/service';
import type { Express } from 'express';
import { addActivityRoutes, createServiceUsage } from './activity/adapters/http-activity.ts';
import { openActivity } from './activity/open-activity.ts';
import { createGatewayStores, gatewayCollections } from './adapters/gateway-stores.ts';
import { type GatewayConfig, loadGatewayConfig } from './config.ts';
import { addConsoleRoutes } from './keys/adapters/http-console.ts';
import { addKeyRoutes } from './keys/adapters/http-keys.ts';
import { keys as keyCollection } from './keys/key-collection.ts';
import { OwnKeys } from './keys/own-keys.ts';
import { createAdminApp } from './operators/adapters/http-admin.ts';
import { adminToken, keptAccess, writeAccess } from './operators/adapters/quickstart-file.ts';
import { demoAccess } from './operators/first-start.ts';
import { operators } from './operators/operators.ts';
import { givenMaterial, selfSignedMaterial, type TlsMaterial } from './proxy/adapters/certificate.ts';
import { createGatewayServer, type GatewayServer } from './proxy/adapters/gateway-server.ts';
import { addProbes, type ProbesOptions, responseStates } from './proxy/adapters/probes.ts';
import type { KeyRecord } from './proxy/domain/key.ts';
import { SessionTokens } from './proxy/domain/session.ts';
import type { KeyRing } from './proxy/key-ring.ts';
import { LastUse } from './proxy/last-use.ts';
import { addSimulations } from './sandbox/adapters/http-simulations.ts';
import { addDocs, addDocsSite, docsSiteRoutes, documentRoutes } from './site/adapters/http-docs.ts';
import { addOperatorPage, addPages, pageRoutes } from './site/adapters/http-pages.ts';
import { addWarehouseRoutes } from './tenants/adapters/http-warehouses.ts';
import { createPlatformData } from './tenants/adapters/platform-data.ts';
import { ErasureRunner } from './tenants/erasure-runner.ts';

async function tlsMaterialOf({ tls }: GatewayConfig, platform: Platform): Promise<TlsMaterial | null> {
  if (tls.kind === 'off') return null;
  if (tls.kind === 'given') return givenMaterial(tls.certFile, tls.keyFile);
  return selfSignedMaterial(join(platform.dataDirectory, 'tls'), platform.clock.now());
}

/** Listens on every address of the machine: IPv6 with IPv4 where there is IPv6, IPv4 otherwise. */
async function listenPublicly(server: Server, config: GatewayConfig): Promise<number> {
  if (config.host !== undefined) return listen(server, config.host, config.port, 'PORT');
  try {
    return await listen(server, '::', config.port, 'PORT');
  } catch (error) {
    const code = (error as { cause?: NodeJS.ErrnoException }).cause?.code;
    if (code !== 'EAFNOSUPPORT' && code !== 'EADDRNOTAVAIL') throw error;
    return listen(server, '0.0.0.0', config.port, 'PORT');
  }
}

/** What the servers of one gateway are built from. */
type Parts = Awaited<ReturnType<typeof openParts>>;

async function openParts(platform: Platform) {
  const config = loadGatewayConfig(platform.env);
  const logger = platform.logger.child({ service: 'gateway' });
  const { bus, clock, environment, otherServices } = platform;
  const opened = await platform.openStore('gateway', gatewayCollections);
  const stores = createGatewayStores(opened);
  const services = otherServices.openClient();
  const activity = openActivity(stores.activity, clock, logger);
  const data = createPlatformData({ environment, services, own: stores.tenantData, flush: () => activity.flush() });
  const token = await adminToken(platform.dataDirectory, config.adminToken);
  const { store, keys } = stores;
  const owner = `gateway-${newToken()}`;
  return {
    platform,
    config,
    logger,
    store,
    keys,
    stores,
    services,
    serviceUsage: createServiceUsage(services, environment),
    idempotency: new Idempotency({ store: stores.idempotency, clock, logger }),
    outbox: opened.relay,
    tls: await tlsMaterialOf(config, platform),
    token,
    keyUse: new LastUse(store, keyCollection, logger),
    operatorUse: new LastUse(store, operators, logger),
    /** For calls of operators that are passed on. */
    relay: otherServices.openClient({ connections: 4 }),
    /** Apart from those: slow calls of operators must not make a service look unready. */
    probes: otherServices.openClient({ connections: 2 }),
    state: { draining: false },
    data,
    activity,
    sessions: new SessionTokens(platform.internalSecrets),
    erasures: new ErasureRunner({ store, data, bus, clock, logger, owner, settleMs: config.erasureSettleMs }),
  };
}

function probesOf({ stores, probes, state, logger }: Parts): ProbesOptions {
  return { ownReady: () => stores.check(), services: probes, draining: () => state.draining, logger };
}

function createPublicServer(parts: Parts): GatewayServer {
  const { platform, config, store, stores, services, logger, tls, idempotency } = parts;
  const { environment, clock, publicBaseUrl, fileSecrets } = platform;
  const onChanged = ({ hash }: KeyRecord): void => {
    gateway.keyRing.forgetHash(hash);
    parts.outbox.notify();
  };
  const ownKeys = new OwnKeys({ environment, store, keys: parts.keys, clock, fileSecrets, onChanged });
  const gateway = createGatewayServer({
    ...platform,
    ...config,
    keys: parts.keys,
    lastUse: parts.keyUse,
    signer: platform.principalSigner,
    logger,
    observer: parts.activity.observer,
    sessions: parts.sessions,
    tls,
    ownRoutes: [...documentRoutes, ...docsSiteRoutes, ...pageRoutes],
    respondHere(router) {
      router.use(durableResponses(platform.settled));
      addProbes(router, probesOf(parts));
      addDocs(router, environment, publicBaseUrl);
      addDocsSite(router);
      addPages(router);
      addConsoleRoutes(router, { sessions: parts.sessions, clock, publicBaseUrl });
      addWarehouseRoutes(router, store);
      addKeyRoutes(router, { keys: ownKeys, store, idempotency, environment, fileSecrets, limitRates: config.limitRates, clock });
      addActivityRoutes(router, stores.activity, parts.serviceUsage, platform);
      addSimulations(router, { services, clock }, idempotency);
    },
  });
  return gateway;
}

/** The operator's API, on the admin server of the process. */
function adminApi(parts: Parts, keyRing: KeyRing): Express {
  const { platform, config, activity, erasures, outbox } = parts;
  return createAdminApp({
    ...platform,
    ...parts,
    keyRing,
    erasureSettleMs: config.erasureSettleMs,
    erasureBegun: () => erasures.wake(),
    trail: activity.trail,
    addPage: addOperatorPage,
    notify: () => outbox.notify(),
    status: responseStates(probesOf(parts)),
    ownQueues: () => readQueues(platform.telemetry, 'gateway'),
  });
}

/** Writes down where the gateway listens and what opens it. In production no key lies around. */
async function announce(parts: Parts, addresses: PublicAddresses): Promise<void> {
  const { platform, logger, store, keys, token } = parts;
  const { environment, clock, dataDirectory, fileSecrets } = platform;
  const admin = { url: addresses.adminUrl, token };
  if (environment === 'production') return writeAccess(dataDirectory, admin);
  const access = await demoAccess({ environment, store, keys, clock, fileSecrets }, await keptAccess(dataDirectory, logger));
  writeAccess(dataDirectory, { base_url: addresses.baseUrl, ca_file: addresses.caFile, environment, ...access, admin });
}

async function listenPublicAndAdmin(parts: Parts, publicServer: Server): Promise<PublicAddresses> {
  const { config, platform, tls } = parts;
  const port = await listenPublicly(publicServer, config);
  const addresses: PublicAddresses = {
    // PORT=0 takes a free port, which nobody could know before.
    baseUrl: config.port === 0 ? platform.publicBaseUrl.replace(/:0$/, `:${port}`) : platform.publicBaseUrl,
    adminUrl: platform.adminServer.url,
    caFile: config.tls.kind === 'own' && tls !== null ? tls.certFile : null,
  };
  if (config.quickstart) await announce(parts, addresses);
  return addresses;
}

/**
 * Opens the gateway: the public server with TLS, keys and rates, the admin server, and what other services ask it.
 * @throws ConfigError naming every variable that is wrong
 */
async function open(platform: Platform): Promise<PublicServer> {
  const parts = await openParts(platform);
  const { logger, state } = parts;
  const gateway = createPublicServer(parts);
  platform.adminServer.mount(adminApi(parts, gateway.keyRing));
  return {
    app: createServiceApp({
      logger,
      verifier: platform.principalVerifier,
      settled: platform.settled,
      // Other services do not call the gateway: probes alone.
      routes: () => undefined,
    }),
    async ready() {
      // Not the store: without it the gateway still responds, what it can from memory and the rest with 50301 and Retry-After.
      // Taken out of its Service with all its replicas, merchants would meet the load balancer's own error page.
      if (state.draining) throw new Error('The gateway is shutting down');
    },
    listen: () => listenPublicAndAdmin(parts, gateway.server),
    async start() {
      parts.keyUse.start();
      parts.operatorUse.start();
      parts.outbox.notify();
      parts.erasures.start();
      parts.activity.start();
    },
    async drain(deadlineMs) {
      state.draining = true;
      await gateway.drain(deadlineMs);
    },
    idle: () => gateway.idle(),
    async stop() {
      await parts.erasures.stop();
      await Promise.all([parts.keyUse.stop(), parts.operatorUse.stop()]);
      await parts.activity.stop();
      await gateway.close();
    },
  };
}

/** The only service that faces the outside: keys, rates, routes, documents, the operator's API. */
export const gatewayService = defineService({
  name: 'gateway',
  calls: ['forecast', 'file', 'warehouse-intake', 'tracking', 'webhook'],
  uses: ['redis', 'public-address'],
  collections: gatewayCollections,
  settings: loadGatewayConfig,
  open,
});
