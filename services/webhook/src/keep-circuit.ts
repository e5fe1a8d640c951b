import type { Logger } from '@parcelway/kernel/logger';
import type { Endpoint } from './domain/endpoint.ts';
import type { EndpointStore } from './ports.ts';

/** What the state of circuits is kept with. */
export interface CircuitTools {
  readonly endpoints: Pick<EndpointStore, 'update'>;
  readonly logger: Logger;
}

/**
 * Writes down that a circuit has opened, for other processes and for the tenant to see. A success closes it in the store together
 * with its result, so only what opens it is written here. Does not wait; a failure is logged.
 */
export function keepCircuit({ tenantId, endpointId, circuit, url }: Endpoint, { endpoints, logger }: CircuitTools): void {
  logger.warn(
    { tenant_id: tenantId, endpoint_id: endpointId, open_until: circuit?.openUntil },
    'webhook endpoint keeps failing; only probes are sent',
  );
  endpoints
    .update(tenantId, endpointId, (current) => (current.status === 'enabled' && current.url === url ? { ...current, circuit } : current))
    .catch((error: unknown) => logger.warn({ err: error }, 'the state of a circuit could not be stored; this process keeps to it'));
}
