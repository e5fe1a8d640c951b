import type { Server } from 'node:http';
import { join } from 'node:path';
import type { Subscription } from '@parcelway/bus/bus';
import { createServiceApp } from '@parcelway/http/app';
import { drainServer, listen, presetPrototypes } from '@parcelway/http/server';
import { createServiceClient } from '@parcelway/http/service-client';
import { defineService, type FrontAddresses, type FrontDoor, type Platform } from '@parcelway/platform/service';
import { Agent } from 'undici';
import { givenMaterial, selfSignedMaterial, type TlsMaterial } from './adapters/certificate.ts';
import { describeApi } from './adapters/documents.ts';
import { subscribeToRevocations } from './adapters/events.ts';
import { createGatewayServer, type GatewayServer } from './adapters/gateway-server.ts';
import { createAdminApp } from './adapters/http-admin.ts';
import { addDocs, documentRoutes } from './adapters/http-docs.ts';
import { addInternalRoutes } from './adapters/http-internal.ts';
import { addOwnRoutes } from './adapters/http-own-routes.ts';
import { createAdminServer } from './adapters/listener.ts';
import { addProbes, type ProbesDeps } from './adapters/probes.ts';
import { AccessFiles } from './adapters/quickstart-file.ts';
import { createRelay } from './adapters/relay-webhooks.ts';
import { createSqliteStores } from './adapters/sqlite-stores.ts';
import { type GatewayConfig, loadGatewayConfig } from './config.ts';
import type { KnownKey } from './domain/records.ts';
import { demoAccess } from './first-start.ts';

async function tlsMaterialOf(config: GatewayConfig, platform: Platform): Promise<TlsMaterial | null> {
  const { tls } = config;
  if (tls.kind === 'off') return null;
  if (tls.kind === 'given') return givenMaterial(tls.certFile, tls.keyFile);
  return selfSignedMaterial(join(platform.dataDirectory, 'tls'), platform.clock.now());
}

/** Listens on every address of the machine: IPv6 with IPv4 where there is IPv6, IPv4 otherwise. */
async function listenPublicly(server: Server, config: GatewayConfig): Promise<number> {
  if (config.host !== undefined) return listen(server, config.host, config.port);
  try {
    return await listen(server, '::', config.port);
  } catch (error) {
    if ((error as { cause?: NodeJS.ErrnoException }).cause?.code !== 'EAFNOSUPPORT') throw error;
    return listen(server, '0.0.0.0', config.port);
  }
}

function adminUrlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/**
 * Opens the gateway: the public door with TLS, keys and rates, the operator's door, and what other services ask it.
 * @throws ConfigError naming every variable that is wrong
 */
export async function openGateway(platform: Platform): Promise<FrontDoor> {
  const { environment, clock, env, originOf, principalSigner: signer, dataDirectory } = platform;
  const config = loadGatewayConfig(env);
  const logger = platform.logger.child({ service: 'gateway' });
  const stores = await platform.openStores('gateway', { sqlite: (db) => createSqliteStores(db, clock) });
  const relay = platform.startRelay('gateway', stores.outbox);
  const tls = await tlsMaterialOf(config, platform);
  const files = new AccessFiles(dataDirectory, logger);
  const token = await files.adminToken(config.adminToken);
  const services = createServiceClient({ originOf, signer });
  const agent = new Agent({ connections: 4, connect: { timeout: 2000 } });
  let draining = false;

  const ready = async (): Promise<void> => {
    if (draining) throw new Error('The gateway is shutting down');
    await stores.check();
  };
  const probes: ProbesDeps = { ownReady: () => stores.check(), originOf, dispatcher: agent, draining: () => draining, logger };
  const gateway: GatewayServer = createGatewayServer({
    environment,
    keys: stores.keys,
    shared: platform.openKeyCache<KnownKey>('api-keys'),
    rateLimiter: platform.rateLimiter,
    limitRates: config.limitRates,
    signer,
    originOf,
    clock,
    logger,
    accessLog: config.accessLog,
    tls,
    ownRoutes: documentRoutes,
    answerHere(router) {
      addProbes(router, probes);
      addDocs(router, describeApi(environment, platform.publicBaseUrl));
      addOwnRoutes(router, { stores, simulate: { services, clock } });
    },
  });
  const admin = createAdminApp({
    environment,
    stores,
    keyRing: gateway.keyRing,
    bus: platform.bus,
    services,
    relay: createRelay(originOf, signer, agent),
    clock,
    logger,
    token,
    notify: () => relay.notify(),
    probes: (router) => addProbes(router, probes),
  });
  const adminServer = createAdminServer(presetPrototypes(admin), admin);
  let subscription: Subscription | undefined;

  return {
    app: createServiceApp({
      logger,
      verifier: platform.principalVerifier,
      routes: (router) => addInternalRoutes(router, stores.warehouses),
    }),
    ready,

    async listen(): Promise<FrontAddresses> {
      const port = await listenPublicly(gateway.server, config);
      const adminPort = await listen(adminServer, config.adminHost, config.adminPort);
      const adminUrl = adminUrlOf(config.adminHost, adminPort);
      // PORT=0 takes a free port, which nobody could know before.
      const baseUrl = config.port === 0 ? platform.publicBaseUrl.replace(/:0$/, `:${port}`) : platform.publicBaseUrl;
      const caFile = config.tls.kind === 'own' && tls !== null ? tls.certFile : null;
      const adminAccess = { url: adminUrl, token };
      if (environment === 'production') await files.writeAdmin(adminAccess);
      else {
        const access = await demoAccess({ environment, stores, clock }, await files.keptAccess());
        await files.writeQuickstart({ base_url: baseUrl, ca_file: caFile, environment, ...access, admin: adminAccess });
      }
      return { baseUrl, adminUrl, caFile };
    },

    async start() {
      gateway.lastUse.start();
      subscription = await subscribeToRevocations(platform.bus, gateway.keyRing, config.replicaId);
    },

    async drain(deadlineMs) {
      draining = true;
      gateway.beginDrain();
      await Promise.all([drainServer(gateway.server, deadlineMs), drainServer(adminServer, deadlineMs)]);
    },

    async stop() {
      await subscription?.stop();
      await gateway.lastUse.stop();
      await Promise.all([gateway.close(), services.close(), agent.destroy()]);
    },
  };
}

/** The gateway as a service: the wiring that gives it its public doors uses {@link openGateway}. */
export const gatewayService = defineService({ name: 'gateway', open: openGateway });
