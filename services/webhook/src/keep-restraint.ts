import type { Logger } from '@parcelway/kernel/logger';
import type { Restraint } from './dispatch-lane.ts';
import type { Endpoint } from './domain/endpoint.ts';
import type { EndpointStore } from './ports.ts';

/** What circuits and pauses are kept with. */
export interface RestraintTools {
  readonly endpoints: Pick<EndpointStore, 'update'>;
  readonly logger: Logger;
}

/**
 * Writes down that a circuit has opened, or that an endpoint has asked for less, for other processes and for the tenant to see. A success
 * ends both in the store together with its result, so only what holds deliveries back is written here. Does not wait; a failure is logged.
 * @param endpoint the one that it was learnt of; nothing is written when it has been moved or is not enabled any more
 */
export function keepRestraint({ tenantId, endpointId, url }: Endpoint, restraint: Restraint, { endpoints, logger }: RestraintTools): void {
  const { circuit } = restraint;
  if (circuit) {
    const fields = { tenant_id: tenantId, endpoint_id: endpointId, open_until: circuit.openUntil };
    logger.warn(fields, 'webhook endpoint keeps failing; only probes are sent');
  }
  endpoints
    .update(tenantId, endpointId, (current) =>
      current.status === 'enabled' && current.url === url ? { ...current, ...restraint } : current,
    )
    .catch((error: unknown) =>
      logger.warn({ err: error }, 'what keeps an endpoint from being sent to could not be stored; this process keeps to it'),
    );
}
