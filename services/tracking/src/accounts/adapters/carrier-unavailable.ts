import { AppError } from '@parcelway/kernel/app-error';

/** A request that failed says little of the next one: it is soon worth a retry, but not at once. */
export const FAILED_RETRY_MS = 5000;

/** A carrier that is not configured stays so until an operator acts. */
export const UNCONFIGURED_RETRY_MS = 60_000;

/**
 * 50001: a carrier cannot be asked, or its response is not believed. One that is left alone for a while is worth a retry when that
 * while is over.
 * @param retryAfterMs after which a retry is worthwhile; `Retry-After` has it in whole seconds, rounded up so that no retry is too early
 * @param cause logged, never shown
 */
export function carrierUnavailable(retryAfterMs: number, cause?: unknown): AppError {
  return new AppError('50001', undefined, { cause, retryAfterSeconds: Math.ceil(retryAfterMs / 1000) });
}

/** 50001: no connection serves a carrier. `data` names it, so that whoever reads the response knows what is missing. */
export function carrierUnserved(carrierCode: string): AppError {
  return new AppError('50001', `No tracking source serves the carrier ${carrierCode}`, {
    data: { carrier_code: carrierCode },
    retryAfterSeconds: UNCONFIGURED_RETRY_MS / 1000,
  });
}
