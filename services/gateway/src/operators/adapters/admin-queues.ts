import type { Environment } from '@parcelway/contracts/environment';
import type { PlatformQueues, ServiceQueues } from '@parcelway/contracts/queues-api';
import { type ServiceName, serviceNames } from '@parcelway/contracts/service-name';
import { sendOk } from '@parcelway/http/response';
import type { ServiceClient } from '@parcelway/http/service-client';
import type { Router } from 'express';
import { platformPrincipal } from '../../tenants/adapters/principals.ts';

/** What the route works with. */
export interface AdminQueuesOptions {
  readonly environment: Environment;
  readonly services: Pick<ServiceClient, 'call'>;
  /** What waits in the gateway itself. */
  readonly ownQueues: () => Promise<ServiceQueues>;
}

/** Longer than a service reads its gauges. */
const TIMEOUT_MS = 5000;

/** The operator's route of what waits. A service that is out, or does not know the route yet, is named. */
export function adminQueueRoutes(router: Router, { environment, services, ownQueues }: AdminQueuesOptions): void {
  const principal = platformPrincipal(environment);
  const queuesOf = (service: ServiceName): Promise<ServiceQueues> =>
    service === 'gateway'
      ? ownQueues()
      : services.call<ServiceQueues>({ service, method: 'GET', path: '/internal/v1/queues', principal, timeoutMs: TIMEOUT_MS });
  router.get('/admin/v1/queues', async (_req, res) => {
    const read = await Promise.allSettled(serviceNames.map(queuesOf));
    const data: PlatformQueues = { queues: [], unknown: [] };
    for (const [index, service] of serviceNames.entries()) {
      const result = read[index];
      if (result?.status === 'fulfilled') data.queues.push(...result.value.queues.map((queue) => ({ service, ...queue })));
      else data.unknown.push(service);
    }
    sendOk(res, data);
  });
}
