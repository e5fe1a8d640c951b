import type { ApiFailure } from '@parcelway/page/api/failure';
import { isOffline } from '../api/connection.ts';

/** What a failed call means for the queue. */
export type AfterFailure = 'retry' | 'refused' | 'stop';

/** In place of a code of the API: the store of the device has failed. */
export const STORE_FAILED = 'store_failed';
/** Temporary failures besides those of the network and 5xx codes: the device, a busy platform, a rate limit. */
const TEMPORARY = new Set([STORE_FAILED, '42207', '42901']);
/** Failures that no report causes: the key, its scope, its holder. */
const OF_THE_KEY = new Set(['40003', '40101', '40301', '40302']);

/** What a failed call means, for reports and photos alike: try again, return the report to the bench, or stop until somebody signs in again. */
export function afterFailure({ code }: ApiFailure): AfterFailure {
  if (isOffline(code) || TEMPORARY.has(code) || code.startsWith('5')) return 'retry';
  return OF_THE_KEY.has(code) ? 'stop' : 'refused';
}

/** Milliseconds of the first wait, and of the longest. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/**
 * Milliseconds until the next try: twice as long each time, from 1 s to 30 s, and a fifth more or less so that benches do not come
 * back at once. A wait that the platform asks for counts when it is longer.
 * @param failures in a row, from 1
 * @param random from 0 to 1
 */
export function waitMs(failures: number, random: number, retryAfterSeconds = 0): number {
  const doubled = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10));
  return Math.max(Math.round(doubled * (0.8 + 0.4 * random)), Math.min(retryAfterSeconds * 1000, 2 * LONGEST_WAIT_MS));
}
