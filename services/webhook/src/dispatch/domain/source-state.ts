import { backOffMs } from '@parcelway/kernel/back-off';
/*
 * Whether a service that full payloads are read from is worth asking. When it is out, asking for every delivery that waits would only
 * load it and us; so after some failures in a row it is left alone for a time, and then asked once.
 */

/** What is known of a source. */
export interface SourceState {
  /** Calls in a row that had no response. */
  readonly failures: number;
  /** It is not asked before, epoch milliseconds. */
  readonly pausedUntil: number;
}

/** Nothing speaks against asking. */
export const HEALTHY: SourceState = { failures: 0, pausedUntil: 0 };

/** Failures in a row after which a source is left alone. */
export const FAILURES_TO_PAUSE = 3;
/** Left alone for so long at first; twice as long after each further failure. */
export const FIRST_PAUSE_MS = 1_000;
/** Never for longer: what waits is sent within this time once the source is back. */
export const MAX_PAUSE_MS = 30_000;

/** A wait that doubles with each failure. @param failures from 1 */
export function backoffMs(failures: number): number {
  return backOffMs({ firstMs: FIRST_PAUSE_MS, maxMs: MAX_PAUSE_MS }, failures);
}

/** True while a source is out: left alone, or to be asked once. */
export function isOut({ failures }: SourceState): boolean {
  return failures >= FAILURES_TO_PAUSE;
}

/** The source after a call that had no response. One that began before the pause did says nothing new. */
export function afterFailure(state: SourceState, now: number): SourceState {
  if (now < state.pausedUntil) return state;
  const failures = state.failures + 1;
  return { failures, pausedUntil: isOut({ ...state, failures }) ? now + backoffMs(failures - FAILURES_TO_PAUSE + 1) : 0 };
}
