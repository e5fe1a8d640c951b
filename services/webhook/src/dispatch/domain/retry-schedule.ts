import { parseDuration } from '@parcelway/kernel/duration';
import type { Delivery } from '../../intake/domain/delivery.ts';

/*
 * When a delivery is tried again. What the response to an attempt means, 410 for example, is in ./settle.ts; when failures disable an endpoint, in
 * ../../endpoints/domain/disabling.ts.
 */

/** Waits before the first, second, … attempt in milliseconds; each counts from the failure before. */
export type RetrySchedule = readonly number[];

/** The schedule of the product: ten attempts over about three days. */
export const DEFAULT_SCHEDULE_TEXT = '0s,5s,5m,30m,2h,5h,10h,14h,20h,24h';

/** Each wait is spread by up to this share, so that deliveries that failed together do not come back together. */
export const JITTER = 0.2;
/** A receiver may put off the next attempt by at most this. */
export const MAX_RETRY_AFTER_MS = 24 * 3_600_000;
/** A test event is tried once: its sender waits for the outcome and can ask for another. */
const TEST_SCHEDULE: RetrySchedule = [0];
const MAX_ATTEMPTS = 50;
const MAX_WAIT_MS = 7 * 24 * 3_600_000;

/**
 * Reads a schedule such as `0s,5s,5m`.
 * @throws Error with a sentence that completes "WEBHOOK_RETRY_SCHEDULE …"
 */
export function parseSchedule(text: string): RetrySchedule {
  const waits = text.split(',').map((part) => ({ part: part.trim(), ms: parseDuration(part) }));
  const wrong = waits.find(({ ms }) => ms === undefined || ms > MAX_WAIT_MS);
  if (wrong) {
    throw new Error(`must be durations of at most 7d separated by commas, such as 0s,5s,5m,30m; "${wrong.part}" is not a duration`);
  }
  if (waits.length > MAX_ATTEMPTS) throw new Error(`must name at most ${MAX_ATTEMPTS} attempts`);
  return waits.map(({ ms }) => ms as number);
}

export function scheduleFor(delivery: Pick<Delivery, 'test'>, schedule: RetrySchedule): RetrySchedule {
  return delivery.test ? TEST_SCHEDULE : schedule;
}

/** Wait before the first attempt of a delivery, milliseconds. @param random in [0, 1) */
export function firstWaitMs(delivery: Pick<Delivery, 'test'>, schedule: RetrySchedule, random: number): number {
  return waitBefore(scheduleFor(delivery, schedule), 0, random) ?? 0;
}

/**
 * Wait before the next attempt, or null when the schedule is used up.
 * @param made attempts made so far in this run of the schedule
 * @param random in [0, 1)
 */
export function waitBefore(schedule: RetrySchedule, made: number, random: number): number | null {
  const wait = schedule[made];
  return wait === undefined ? null : Math.round(wait * (1 + JITTER * (2 * random - 1)));
}

/**
 * Wait that a `Retry-After` header asks for (RFC 9110, 10.2.3: seconds or an HTTP date), between 0 and 24 h; null when
 * there is none or it makes no sense.
 */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  const wait = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : /[a-z]{3}/i.test(text) ? Date.parse(text) - now : Number.NaN;
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS);
}
