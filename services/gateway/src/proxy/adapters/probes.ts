import { type ServiceName, serviceNames } from '@parcelway/contracts/service-name';
import { sendJson, sendOk } from '@parcelway/http/response';
import type { ServiceClient } from '@parcelway/http/service-client';
import { errorCatalogue } from '@parcelway/kernel/error-codes';
import type { Logger } from '@parcelway/kernel/logger';
import { within } from '@parcelway/kernel/within';
import type { Request, Response, Router } from 'express';

/** What the probes ask. */
export interface ProbesOptions {
  /** Resolves when the gateway's own store responds. */
  readonly ownReady: () => Promise<void>;
  readonly services: Pick<ServiceClient, 'ready'>;
  readonly draining: () => boolean;
  readonly logger: Logger;
}

/** A service that has not said that it is ready after this is not. */
const DEADLINE_MS = 2000;
/** A response about the services is good for this long: the route needs no key, and asking them costs each of them work. */
const GOOD_FOR_MS = 1000;
const others = serviceNames.filter((name) => name !== 'gateway');

type State = 'ready' | 'not ready';

async function stateOf(options: ProbesOptions, service: ServiceName): Promise<State> {
  try {
    if (service === 'gateway') await within(DEADLINE_MS, options.ownReady(), () => new Error(`No response within ${DEADLINE_MS} ms`));
    else await options.services.ready(service, DEADLINE_MS);
    return 'ready';
  } catch (error) {
    options.logger.debug({ service, err: error }, 'A service is not ready');
    return 'not ready';
  }
}

type States = Readonly<Record<string, State>>;

/** Asks all services; whoever asks while a response is on its way or fresh shares that one. */
function sharedStates(options: ProbesOptions): () => Promise<States> {
  let shared: Promise<States> | undefined;
  let staleAt = 0;
  return () => {
    const now = performance.now();
    if (shared === undefined || now >= staleAt) {
      staleAt = now + GOOD_FOR_MS;
      const names: ServiceName[] = ['gateway', ...others];
      shared = Promise.all(names.map(async (name) => [name, await stateOf(options, name)] as const)).then(Object.fromEntries<State>);
    }
    return shared;
  };
}

/** Responds whether every service can work; 503 with the state of each otherwise. */
export function responseStates(options: ProbesOptions) {
  const states = sharedStates(options);
  return async (_req: Request, res: Response): Promise<undefined> => {
    const services = await states();
    const draining = options.draining();
    if (!draining && Object.values(services).every((state) => state === 'ready')) {
      sendOk(res, { status: 'ready', services });
    } else {
      res.setHeader('Retry-After', '1');
      const message = draining ? 'Shutting down' : errorCatalogue['50301'].message;
      sendJson(res, 503, JSON.stringify({ code: '50301', message, data: { status: 'not ready', services } }));
    }
    return undefined;
  };
}

/** Adds `/healthz` (the process runs) and `/readyz` (every service can work). */
export function addProbes(router: Router, options: ProbesOptions): void {
  router.get('/healthz', (_req, res) => sendOk(res, { status: 'up' }));
  router.get('/readyz', responseStates(options));
}
