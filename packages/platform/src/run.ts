import type { ServiceName } from '@parcelway/contracts/service-name';
import type { Logger } from '@parcelway/kernel/logger';
import type { OpenPlatform } from './embedded.ts';
import type { OpenService, PublicAddresses, PublicServer, PublicServiceDefinition, ServiceDefinition } from './service.ts';
import { CLOSE_PLATFORM_MS, DRAIN_PUBLIC_MS, DRAIN_SERVICES_MS, STOP_SERVICES_MS, within } from './stop-within.ts';

/** The services of one process. */
export interface RunOptions {
  readonly opened: OpenPlatform;
  readonly services: readonly ServiceDefinition[];
  readonly gateway: PublicServiceDefinition;
  readonly logger: Logger;
}

/** Lets the other services call a service, and the admin server ask whether it is ready. */
function offer(name: ServiceName, service: OpenService, opened: OpenPlatform): void {
  const ready = async (): Promise<void> => {
    await opened.platform.bus.check();
    await service.ready();
  };
  opened.adminServer.watch(name, ready);
  opened.addService(name, { app: service.app, telemetry: opened.platform.telemetry.of(name), ready });
}

/** What has been opened so far, and has to be closed again. */
interface Parts {
  gateway: PublicServer | undefined;
  readonly services: { readonly name: ServiceName; readonly service: OpenService }[];
}

async function start(options: RunOptions, parts: Parts): Promise<PublicAddresses> {
  const { opened } = options;
  const gateway = await options.gateway.open(opened.platform);
  parts.gateway = gateway;
  parts.services.push({ name: 'gateway', service: gateway });
  // Settled, not raced: a service that is still being opened when another fails has to be closed as well.
  const outcomes = await Promise.allSettled(
    options.services.map(async ({ name, open }) => parts.services.push({ name, service: await open(opened.platform) })),
  );
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  for (const { name, service } of parts.services) offer(name, service, opened);
  const addresses = await gateway.listen();
  await Promise.all(parts.services.map(({ service }) => service.start()));
  opened.adminServer.started();
  return addresses;
}

/** Closes everything that is open, in the order in which work flows. Ends within 25 s. */
async function stop({ opened, logger }: RunOptions, { gateway, services }: Parts): Promise<void> {
  opened.adminServer.stopping();
  for (const { service } of services) service.endWaiting?.();
  const listeners = Promise.all([gateway?.drain(DRAIN_PUBLIC_MS), opened.adminServer.drain(DRAIN_PUBLIC_MS)]);
  await within(DRAIN_PUBLIC_MS + 1000, 'public port', listeners, logger);
  await within(DRAIN_SERVICES_MS, 'requests', Promise.resolve(gateway?.idle()), logger);
  await Promise.all(services.map(({ name, service }) => within(STOP_SERVICES_MS, name, service.stop(), logger)));
  await within(CLOSE_PLATFORM_MS, 'platform', opened.close(), logger);
}

/**
 * Runs all services in this process: opens them, opens the public ports, and starts consumers and schedules last,
 * when everything they may call is there. When any of it fails, everything that has been opened is closed again, the
 * platform included.
 */
export async function runInOneProcess(options: RunOptions) {
  const parts: Parts = { gateway: undefined, services: [] };
  try {
    const addresses = await start(options, parts);
    return { addresses, /** Ends within 25 s. */ stop: () => stop(options, parts) };
  } catch (error) {
    await stop(options, parts);
    throw error;
  }
}
