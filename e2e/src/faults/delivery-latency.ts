import type { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import { quantile } from './latency.ts';

/** How long events took from their record to a receiver. */
export interface DeliverySummary {
  readonly count: number;
  /** Milliseconds. */
  readonly p90: number;
}

/** Of the events recorded between two instants of `Date.now()`; the first time that each came in. */
export function deliveries({ received }: WebhookReceiver, from: number, to: number): DeliverySummary {
  const tookById = new Map<string, number>();
  for (const { id, body, receivedAt } of received) {
    const recordedAt = Date.parse(body.timestamp);
    if (recordedAt >= from && recordedAt < to && !tookById.has(id)) tookById.set(id, receivedAt - recordedAt);
  }
  const took = [...tookById.values()];
  return { count: took.length, p90: quantile(took, 0.9) };
}
