import type { Clock } from '@parcelway/kernel/clock';
import type { Metrics } from '@parcelway/telemetry/metrics';
import type { DeliveryQueue } from './delivery-queue.ts';

/** Endpoints looked at in one query. */
const PAGE = 1000;
/** Deliveries are counted up to here: more need no exact number. */
const MAX_COUNTED = 10_000;

export interface BacklogOptions {
  readonly queue: Pick<DeliveryQueue, 'dueEndpoints' | 'backlogOf'>;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/**
 * Reads how much is due that nobody has taken yet, and since when. What waits for a tenant (paused endpoints) or for a
 * receiver (open circuits) is no backlog.
 */
export async function watchBacklog({ queue, clock, metrics }: BacklogOptions): Promise<void> {
  const now = clock.now();
  let count = 0;
  let oldest = now;
  for (let after: string | null = ''; after !== null && count < MAX_COUNTED; ) {
    const { endpointIds, next } = await queue.dueEndpoints({ after, now, limit: PAGE });
    if (endpointIds.length > 0) {
      const backlog = await queue.backlogOf(endpointIds, now, MAX_COUNTED - count);
      count += backlog.count;
      oldest = Math.min(oldest, backlog.oldestDueAt ?? now);
    }
    after = next;
  }
  metrics.set('parcelway_webhook_due_deliveries', {}, count);
  metrics.set('parcelway_webhook_oldest_due_age_seconds', {}, (now - oldest) / 1000);
}
