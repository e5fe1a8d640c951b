import type { ReplayChoice } from '@parcelway/contracts/webhook-delivery-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { newId } from '@parcelway/kernel/ids';
import { notEnabled } from './accept-event.ts';
import type { Delivery } from './domain/delivery.ts';
import type { Endpoint } from './domain/endpoint.ts';
import { bodyFitsFilter } from './domain/event-filter.ts';
import { noSuchEndpoint } from './manage-endpoints.ts';
import type { DeliveryRunner, EndpointStore, Redelivery } from './ports.ts';

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
  readonly only?: ReplayChoice | undefined;
}

/** What deliveries are sent again with. */
export interface RedeliveryTools {
  readonly redelivery: Redelivery;
  readonly endpoints: Pick<EndpointStore, 'get'>;
  readonly runner: Pick<DeliveryRunner, 'wake'>;
  readonly clock: Clock;
  /** Deliveries are kept this long: of older events nobody knows any more whether they were delivered. */
  readonly retentionMs: number;
}

/** Sends again what was sent, held or missed before. */
export interface Redeliverer {
  /** @throws AppError 40403 when there is no such endpoint or delivery, 40902 when the endpoint is paused or disabled */
  resend(tenantId: string, endpointId: string, deliveryId: string): Promise<Delivery>;
  /**
   * @returns how many deliveries are due now; {@link MAX_REPLAYED} when there may be more
   * @throws AppError 40403, 40902 as above; 42201 when the range ends before it begins
   */
  replay(tenantId: string, endpointId: string, range: ReplayRange): Promise<number>;
}

/** Resend and replay: the same event, the same body, the same webhook-id, a new run of the schedule. */
export function createRedeliverer({ redelivery, endpoints, runner, clock, retentionMs }: RedeliveryTools): Redeliverer {
  async function enabled(tenantId: string, endpointId: string): Promise<Endpoint> {
    const endpoint = await endpoints.get(tenantId, endpointId);
    if (!endpoint) throw noSuchEndpoint();
    if (endpoint.status !== 'enabled') throw notEnabled(endpoint);
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
      const from = Math.max(since, clock.now() - retentionMs);
      if (from >= until) return 0;
      const matches = (body: string): boolean => bodyFitsFilter(endpoint.filter, body);
      let scheduled = 0;
      let after: string | null = null;
      do {
        const limit = Math.min(BATCH, MAX_REPLAYED - scheduled);
        const range = { types: endpoint.eventTypes, since: from, until, only, matches, after, limit };
        const batch: Awaited<ReturnType<Redelivery['replay']>> = await redelivery.replay(endpoint, range, clock.now(), () => newId('dlv'));
        scheduled += batch.scheduled;
        after = batch.next;
        runner.wake();
      } while (after !== null && scheduled < MAX_REPLAYED);
      return scheduled;
    },
  };
}
