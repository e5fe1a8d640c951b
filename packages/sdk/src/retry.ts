import { setTimeout as wait } from 'node:timers/promises';
import { type RouteTypes, routes } from './generated/routes.ts';
import type { ParcelwayError } from './parcelway-error.ts';

/** Id of a route. */
export type RouteId = keyof RouteTypes;

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8000;

/** True when the platform recognises a repeat of the route only by an idempotency key: each call has one. */
export function needsKey(id: RouteId): boolean {
  return routes[id].takesKey && !routes[id].isRepeatable;
}

/** An attempt before this one is under way at the platform: it got the key, and its response got lost. */
function isUnderWay({ code, data }: ParcelwayError): boolean {
  return code === '40902' && (data as { readonly header?: unknown } | null)?.header === 'Idempotency-Key';
}

/** True when a call that failed so may be made again: it failed for now only, and a repeat does no harm or nothing was done. */
export function mayRepeat(id: RouteId, error: ParcelwayError): boolean {
  if (isUnderWay(error)) return true;
  if (!error.isPassing) return false;
  // Refused before anything was done with it, whatever the route.
  if (error.httpStatus === 429 || error.code === 'unreachable') return true;
  return routes[id].isRepeatable || routes[id].takesKey;
}

/**
 * Milliseconds to wait after a failed attempt: 0.5 s doubled each time up to 8 s, of which up to half is left to chance so
 * that clients which failed together do not come back together; longer when the platform asks for it.
 * @param attempt the one that failed, from 1
 * @param random 0 to 1
 */
export function waitBefore(attempt: number, error: ParcelwayError, random: number): number {
  const backoff = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) * (0.5 + random / 2);
  return Math.max(Math.round(backoff), (error.retryAfter ?? 0) * 1000);
}

/** Waits. @throws the reason of the signal when it ends the wait */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}
