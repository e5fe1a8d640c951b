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
