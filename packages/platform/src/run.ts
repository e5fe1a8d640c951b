import type { Server } from 'node:http';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { createServiceServer, drainServer, listen } from '@parcelway/http/server';
import type { Logger } from '@parcelway/kernel/logger';
import type { OpenPlatform } from './embedded.ts';
import type { FrontAddresses, FrontDoor, OpenService, Platform, ServiceDefinition } from './service.ts';

/** The services of one process. */
export interface RunOptions {
  readonly opened: OpenPlatform;
  readonly services: readonly ServiceDefinition[];
  readonly openFront: (platform: Platform) => Promise<FrontDoor>;
  readonly logger: Logger;
}

/** A running platform. */
export interface RunningPlatform {
  readonly addresses: FrontAddresses;
  /** Drains and closes everything, in the order in which work flows. Ends within 25 s. */
  stop(): Promise<void>;
}

interface Listening {
  readonly name: ServiceName;
  readonly service: OpenService;
  readonly server: Server;
}

/* Together below the 25 s within which a stop has to end. */
const DRAIN_FRONT_MS = 8000;
const STOP_SERVICES_MS = 10_000;
const DRAIN_SERVICES_MS = 3000;

/** Fails when `work` takes longer than `ms`: a stop must end even if a part of it hangs. */
async function within(ms: number, what: string, work: Promise<unknown>, logger: Logger): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), ms);
  });
  try {
    if ((await Promise.race([work, late])) === 'late') logger.warn({ what, ms }, 'did not stop in time; going on');
  } catch (err) {
    logger.error({ what, err }, 'failed to stop cleanly');
  } finally {
    clearTimeout(timer);
  }
}

async function serve(name: ServiceName, service: OpenService, opened: OpenPlatform): Promise<Listening> {
  const server = createServiceServer(service.app, () => service.ready());
  const port = await listen(server, '127.0.0.1', 0);
  opened.setOrigin(name, `http://127.0.0.1:${port}`);
  return { name, service, server };
}

/**
 * Runs all services in this process: opens them, lets each listen on a loopback port of its own, opens the public
 * doors, and starts consumers and schedules last, when everything they may call is there.
 */
export async function runInOneProcess(options: RunOptions): Promise<RunningPlatform> {
  const { opened, logger } = options;
  const front = await options.openFront(opened.platform);
  const services = await Promise.all(
    options.services.map(async (definition) => ({ name: definition.name, service: await definition.open(opened.platform) })),
  );
  const listening = await Promise.all(
    [{ name: 'gateway' as const, service: front as OpenService }, ...services].map(({ name, service }) => serve(name, service, opened)),
  );
  const addresses = await front.listen();
  await Promise.all(listening.map(({ service }) => service.start()));

  return {
    addresses,
    async stop() {
      await within(DRAIN_FRONT_MS + 1000, 'public port', front.drain(DRAIN_FRONT_MS), logger);
      await within(
        DRAIN_SERVICES_MS + 500,
        'service ports',
        Promise.all(listening.map(({ server }) => drainServer(server, DRAIN_SERVICES_MS))),
        logger,
      );
      await Promise.all(listening.map(({ name, service }) => within(STOP_SERVICES_MS, name, service.stop(), logger)));
      await within(2000, 'platform', opened.close(), logger);
    },
  };
}
