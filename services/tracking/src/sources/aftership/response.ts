import { fieldsOf } from '../fields.ts';
import { refusalOf, type SourceResponse } from '../source-http.ts';
import { SourceRefusal } from '../source-refusal.ts';

/**
 * Each `meta.code` that is about the one tracking of a call (the vendor's page "Request Errors"): its number or a field is wrong or missing, or its
 * carrier is not recognised, not activated or no longer supported. The call itself is right.
 */
const trackingErrors: ReadonlySet<number> = new Set([4005, 4007, 4008, 4009, 4010, 4011, 4012, 4017]);

/** `meta.code` of a tracking that exists, of one that does not, of an id that is none, and of a slug that is none. */
export const ALREADY_EXISTS = 4003;
export const DOES_NOT_EXIST = 4004;
export const ID_INVALID = 4015;
export const SLUG_INVALID = 4010;

/** The limits are counted by the second. The time that a header names is read by our clock, so it counts within bounds. */
const MIN_RESET_MS = 1000;
const MAX_RESET_MS = 60_000;

/** `meta.code` of a response; its status when there is none. */
export function codeOf({ status, json }: SourceResponse): number {
  const code = fieldsOf(fieldsOf(json)['meta'])['code'];
  return typeof code === 'number' ? code : status;
}

/** True for a response that is no error, by its status and by its `meta.code`. */
export function isSuccess(response: SourceResponse): boolean {
  const code = codeOf(response);
  return response.status >= 200 && response.status < 300 && code >= 200 && code < 300;
}

/** Why AfterShip does not take the tracking of a call; undefined when the call fails for another reason. */
export function rejectionOf(response: SourceResponse): string | undefined {
  const code = codeOf(response);
  return trackingErrors.has(code) && response.status < 500 ? `meta.code ${code}` : undefined;
}

/** Milliseconds until `X-RateLimit-Reset`, a time in seconds since 1970. */
function resetOf({ headers }: SourceResponse): number | undefined {
  const reset = headers['x-ratelimit-reset'];
  if (typeof reset !== 'string' || !/^\d{1,12}$/.test(reset)) return undefined;
  return Math.min(Math.max(Number(reset) * 1000 - Date.now(), MIN_RESET_MS), MAX_RESET_MS);
}

/** The refusal of a whole call, by its `meta.code` or else by its status. @param what names the call in the message */
export function refusalOfAfterShip(response: SourceResponse, what: string): SourceRefusal {
  const byStatus = refusalOf(response, what);
  const code = codeOf(response);
  // A code of four digits is about the tracking and not about the call.
  const { reason } = code < 1000 ? refusalOf({ ...response, status: code }, what) : byStatus;
  const message = code === response.status ? byStatus.message : `${byStatus.message} and the meta.code ${code}`;
  const retryAfterMs = byStatus.retryAfterMs ?? (reason === 'throttled' ? resetOf(response) : undefined);
  return new SourceRefusal(reason, message, { retryAfterMs, status: response.status });
}
