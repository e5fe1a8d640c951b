import type { ReplayChoice } from '@parcelway/contracts/webhook-delivery-api';
import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import type { Delivery } from '../../intake/domain/delivery.ts';

/** How far a delivery has come, as far as a resend or a replay has to know. */
export interface DeliveryProgress extends Pick<Delivery, 'status' | 'nextAttemptAt'> {
  /** A process holds its lease. */
  readonly isLeased: boolean;
}

/** True when a delivery is being sent or about to be: making it due once more would only send it twice. */
export function isInFlight({ status, nextAttemptAt, isLeased }: DeliveryProgress, now: number): boolean {
  return status === 'pending' && (isLeased || (nextAttemptAt !== null && nextAttemptAt <= now));
}

/** What changes of a delivery that starts a new run of its schedule at once. @param now epoch milliseconds */
export function newRun(now: number) {
  return { status: 'pending', step: 0, nextAttemptAt: now, nextReason: 'first' } as const satisfies Partial<Delivery>;
}

/** Which events of a time range a replay is to make due. */
export interface ReplayWish {
  readonly types: readonly SentEventType[];
  readonly only: ReplayChoice;
  /** Says of an event of one of the types whether the endpoint wants it. */
  readonly matches: (body: string) => boolean;
}

/**
 * True when a replay makes an event due: what the wish names, unless it is in flight. Its body is looked at last.
 * @param delivery of the event at the endpoint; undefined when it never had one, because it was not there or not subscribed
 */
export function isReplayed(
  event: { readonly type: SentEventType; readonly body: string },
  delivery: DeliveryProgress | undefined,
  { types, only, matches }: ReplayWish,
  now: number,
): boolean {
  if (!types.includes(event.type) || (delivery !== undefined && isInFlight(delivery, now))) return false;
  const status = delivery?.status;
  if (only === 'failed' ? status !== 'failed' : only === 'undelivered' && status === 'succeeded') return false;
  return matches(event.body);
}
