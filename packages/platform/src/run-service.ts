import { followConnections } from '@parcelway/http/follow-connections';
import { createServiceServer, listen } from '@parcelway/http/server';
import type { Logger } from '@parcelway/kernel/logger';
import type { Environ } from './config.ts';
import { openDistributedPlatform } from './distributed.ts';
import { type RunningProcess, runProcess } from './process.ts';
import type { OpenService, PublicServer, ServiceDefinition } from './service.ts';
import { CLOSE_PLATFORM_MS, DRAIN_PUBLIC_MS, STOP_SERVICES_MS, within } from './stop-within.ts';

/** The gateway has a public server besides the port for other services. */
function isPublicServer(service: OpenService): service is PublicServer {
  return 'listen' in service;
}

async function startService(definition: ServiceDefinition, env: Environ, given: Logger): Promise<RunningProcess> {
  const { name } = definition;
  const logger = given.child({ service: name });
  const opened = await openDistributedPlatform(env, definition, logger);
  const { address, adminServer } = opened;
  const service = await definition.open(opened.platform);
  let stopping = false;
  const ready = async (): Promise<void> => {
    if (stopping) throw new Error('The service is shutting down');
    await opened.platform.bus.check();
    await service.ready();
  };
  const server = createServiceServer(service.app, ready, opened.platform.telemetry.of(name), logger);
  const connections = followConnections(server);
  const port = await listen(server, address.host, address.port, 'SERVICE_PORT');
  const gateway = isPublicServer(service) ? service : undefined;
  const addresses = await gateway?.listen();
  adminServer.watch(name, ready);
  await service.start();
  adminServer.started();
  const where = addresses === undefined ? `${address.host}:${port}` : `${addresses.baseUrl}, admin at ${addresses.adminUrl}`;
  return {
    report: `Parcelway ${name} is ready: ${where} (${(performance.now() / 1000).toFixed(1)} s)\n`,
    facts: { service: name, environment: opened.platform.environment },
    async stop() {
      stopping = true;
      adminServer.stopping();
      const startedAt = performance.now();
      // Before the stop ends any waiting request. Other services still reach this one while the public port drains.
      connections.closeAfterResponses();
      service.endWaiting?.();
      const servers = Promise.all([gateway?.drain(DRAIN_PUBLIC_MS), adminServer.drain(DRAIN_PUBLIC_MS)]);
      await within(DRAIN_PUBLIC_MS + 1000, 'public port', servers, logger);
      const leftMs = Math.max(1000, DRAIN_PUBLIC_MS - (performance.now() - startedAt));
      await within(leftMs + 1000, 'service port', connections.drain(leftMs), logger);
      await within(STOP_SERVICES_MS, name, service.stop(), logger);
      await within(CLOSE_PLATFORM_MS, 'platform', opened.close(), logger);
    },
  };
}

/**
 * Runs one service as this process, on the servers that its environment names, until SIGTERM or SIGINT; then drains and
 * exits 0. A configuration that cannot be used exits 1 at once and names every variable.
 */
export function runService(definition: ServiceDefinition, env: Environ): Promise<never> {
  return runProcess(env, (read, logger) => startService(definition, read, logger));
}
