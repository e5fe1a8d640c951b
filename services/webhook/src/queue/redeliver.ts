import { setImmediate as turn } from 'node:timers/promises';
import type { ReplayChoice } from '@parcelway/contracts/webhook-delivery-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { newId } from '@parcelway/kernel/ids';
import type { Endpoint } from '../endpoints/domain/endpoint.ts';
import { notEnabled } from '../endpoints/domain/endpoint.ts';
import { bodyFitsFilter } from '../endpoints/domain/subscription.ts';
import { noSuchEndpoint } from '../endpoints/manage-endpoints.ts';
import type { EndpointStore } from '../endpoints/ports.ts';
import type { Delivery } from '../intake/domain/delivery.ts';
import { misplaced } from '../intake/domain/event-place.ts';
import type { QueueWaker, Redelivery } from './ports.ts';

/** Deliveries that one call makes due, at most. */
export const MAX_REPLAYED = 10_000;
/** A call ends after this time, with a place to continue at: the caller waits for the response. */
const MAX_CALL_MS = 5_000;
/** Events looked at in one transaction. */
const BATCH = 500;

/** A time range to send again. Instants are epoch milliseconds. */
export interface ReplayRange {
  readonly since: number;
  /** Default: now. */
  readonly until?: number | undefined;
  /** Default: undelivered. */
  readonly only?: ReplayChoice | undefined;
  /** Place to go on at, from `next` of the call before; with it `until` is what it was then. */
  readonly after?: string | undefined;
}

export interface ReplayOutcome {
  /** Deliveries that it has made due; at most {@link MAX_REPLAYED}. */
  readonly scheduled: number;
  /** Where the rest begins; null when all was looked at. ASCII characters without a blank. */
  readonly next: string | null;
}

/** A place with the end of the range, so that a range without one does not grow from call to call. */
const PLACE = /^(\d{1,15})\/(.+)$/;

export interface RedeliveryOptions {
  readonly redelivery: Redelivery;
  readonly endpoints: Pick<EndpointStore, 'get'>;
  readonly runner: QueueWaker;
  readonly clock: Clock;
  /** Deliveries are kept this long: for older events it is not known whether they were delivered. */
  readonly retentionMs: number;
}

export interface Redeliverer {
  /** @throws AppError 40403 when there is no such endpoint or delivery, 40902 when the endpoint is paused or disabled */
  resend(tenantId: string, endpointId: string, deliveryId: string): Promise<Delivery>;
  /**
   * Ends before the end of the range when it has made enough due, or has taken long.
   * @throws AppError 40403, 40902 as above; 42201 when the range ends before it begins, or `after` is not from an earlier response
   */
  replay(tenantId: string, endpointId: string, range: ReplayRange): Promise<ReplayOutcome>;
}

/** Resend and replay: the same event, the same body, the same webhook-id, a new run of the schedule. */
export function createRedeliverer({ redelivery, endpoints, runner, clock, retentionMs }: RedeliveryOptions): Redeliverer {
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
    async replay(tenantId, endpointId, { since, until: end, only = 'undelivered', after: place }) {
      const endpoint = await enabled(tenantId, endpointId);
      const [, formerEnd, formerPlace = null] = place === undefined ? [] : (PLACE.exec(place) ?? []);
      if (place !== undefined && formerPlace === null) throw misplaced('cursor');
      const until = formerEnd === undefined ? (end ?? clock.now()) : Number(formerEnd);
      if (until <= since) {
        throw AppError.validation([{ field: 'until', rule: 'range', message: 'until must be later than since' }]);
      }
      const from = Math.max(since, clock.now() - retentionMs);
      if (from >= until) return { scheduled: 0, next: null };
      const matches = (body: string): boolean => bodyFitsFilter(endpoint.filter, body);
      let scheduled = 0;
      let after: string | null = formerPlace;
      const started = performance.now();
      do {
        const limit = Math.min(BATCH, MAX_REPLAYED - scheduled);
        const range = { types: endpoint.eventTypes, since: from, until, only, matches, after, limit };
        const batch: Awaited<ReturnType<Redelivery['replay']>> = await redelivery.replay(endpoint, range, clock.now(), () => newId('dlv'));
        scheduled += batch.scheduled;
        after = batch.next;
        runner.wake();
        // A store in this process responds at once: the rest of the process gets its turn.
        await turn();
      } while (after !== null && scheduled < MAX_REPLAYED && performance.now() - started < MAX_CALL_MS);
      return { scheduled, next: after === null ? null : `${until}/${after}` };
    },
  };
}
