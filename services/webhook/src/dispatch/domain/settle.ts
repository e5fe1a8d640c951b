import type { AttemptErrorCode } from '@parcelway/contracts/webhook-delivery-api';
import type { LeasedDelivery } from '../../intake/domain/delivery.ts';
import type { AttemptResult } from '../../queue/domain/attempt.ts';
import { parseRetryAfter, type RetrySchedule, scheduleFor, waitBefore } from './retry-schedule.ts';

/** What came back from a receiver, or why nothing did. */
export interface Reply {
  /** HTTP status; null when there was no complete response. */
  readonly statusCode: number | null;
  /** Why there was no good response; null for a 2xx. */
  readonly error: string | null;
  /** The same as a code; null for a 2xx. */
  readonly errorCode: AttemptErrorCode | null;
  /** First bytes of the response as text; null when there was no response. */
  readonly responseBody: string | null;
  readonly retryAfter: string | null;
}

/**
 * What follows from a reply.
 *
 * 200 to 299 succeeds. 410 says that the receiver is gone: the delivery is held with the others of its endpoint.
 * Anything else is tried again when the schedule says so, or later when `Retry-After` asks for that; when the schedule
 * is used up it has failed.
 * @param now when the attempt ended
 * @param random in [0, 1), for the jitter
 */
export function settle(
  leased: LeasedDelivery,
  reply: Reply,
  schedule: RetrySchedule,
  now: number,
  random: number,
): Pick<AttemptResult, 'status' | 'nextAttemptAt' | 'nextReason' | 'gone'> {
  const { statusCode } = reply;
  if (reply.error === null && isSuccess(statusCode)) return { status: 'succeeded', nextAttemptAt: null, nextReason: null, gone: false };
  if (statusCode === 410) return { status: 'held', nextAttemptAt: null, nextReason: null, gone: true };
  const { delivery } = leased;
  const wait = waitBefore(scheduleFor(delivery, schedule), delivery.step + 1, random);
  if (wait === null) return { status: 'failed', nextAttemptAt: null, nextReason: null, gone: false };
  const asked = parseRetryAfter(reply.retryAfter, now) ?? 0;
  return {
    status: 'pending',
    nextAttemptAt: now + Math.max(wait, asked),
    nextReason: asked > wait ? 'retry_after' : 'schedule',
    gone: false,
  };
}

export function isSuccess(statusCode: number | null): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode <= 299;
}
