import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { newId } from '@parcelway/kernel/ids';
import { disabledEndpoint } from './accept-event.ts';
import type { Delivery } from './domain/delivery.ts';
import type { Endpoint } from './domain/endpoint.ts';
import { noSuchEndpoint } from './manage-endpoints.ts';
import type { DeliveryRunner, EndpointStore, Redelivery, ReplayPosition } from './ports.ts';

/** Deliveries that one replay makes due, at most. The same call again goes on with what is still undelivered. */
export const MAX_REPLAYED = 10_000;
/** Events looked at in one transaction. */
const BATCH = 500;

/** A time range to send again. Instants are epoch milliseconds. */
export interface ReplayRange {
  readonly since: number;
  /** Default: now. */
  readonly until?: number | undefined;
  /** Default: undelivered. */
  readonly only?: 'all' | 'undelivered' | undefined;
}

/** What deliveries are sent again with. */
export interface RedeliveryTools {
  readonly redelivery: Redelivery;
  readonly endpoints: Pick<EndpointStore, 'get'>;
  readonly runner: Pick<DeliveryRunner, 'wake'>;
  readonly clock: Clock;
}

/** Sends again what was sent, held or missed before. */
export interface Redeliverer {
  /** @throws AppError 40403 when there is no such endpoint or delivery, 40902 when the endpoint is disabled */
  resend(tenantId: string, endpointId: string, deliveryId: string): Promise<Delivery>;
  /**
   * @returns how many deliveries are due now; {@link MAX_REPLAYED} when there may be more
   * @throws AppError 40403, 40902 as above; 42201 when the range ends before it begins
   */
  replay(tenantId: string, endpointId: string, range: ReplayRange): Promise<number>;
}

/** Resend and replay: the same event, the same body, the same webhook-id, a new run of the schedule. */
export function createRedeliverer({ redelivery, endpoints, runner, clock }: RedeliveryTools): Redeliverer {
  async function enabled(tenantId: string, endpointId: string): Promise<Endpoint> {
    const endpoint = await endpoints.get(tenantId, endpointId);
    if (!endpoint) throw noSuchEndpoint();
    if (endpoint.status === 'disabled') throw disabledEndpoint();
    return endpoint;
  }

  return {
    async resend(tenantId, endpointId, deliveryId) {
      await enabled(tenantId, endpointId);
      const delivery = await redelivery.resend(tenantId, endpointId, deliveryId, clock.now());
      if (!delivery) throw new AppError('40403', 'The delivery does not exist');
      runner.wake();
      return delivery;
    },
    async replay(tenantId, endpointId, { since, until = clock.now(), only = 'undelivered' }) {
      const endpoint = await enabled(tenantId, endpointId);
      if (until <= since) {
        throw AppError.validation([{ field: 'until', rule: 'range', message: 'until must be later than since' }]);
      }
      let scheduled = 0;
      let after: ReplayPosition | null = null;
      do {
        const limit = Math.min(BATCH, MAX_REPLAYED - scheduled);
        const range = { types: endpoint.eventTypes, since, until, only, after, limit };
        const batch: Awaited<ReturnType<Redelivery['replay']>> = await redelivery.replay(endpoint, range, clock.now(), () => newId('dlv'));
        scheduled += batch.scheduled;
        after = batch.next;
        runner.wake();
      } while (after !== null && scheduled < MAX_REPLAYED);
      return scheduled;
    },
  };
}
