/*
 * How many attempts at one endpoint run side by side. Additive increase, multiplicative decrease, as TCP finds the
 * speed of a path: a receiver that responds well gets more, one that fails gets half, one that hangs gets one at a time,
 * so that it holds next to nothing of what the others need.
 */

/** Attempts side by side at an endpoint that nothing is known of. */
export const INITIAL_LANE_LIMIT = 8;
/** Never more than this at one endpoint. */
export const MAX_LANE_LIMIT = 32;

/** The limit after an attempt. `hung`: no response within the deadline. */
export function limitAfter(limit: number, outcome: 'succeeded' | 'failed' | 'hung'): number {
  if (outcome === 'hung') return 1;
  if (outcome === 'failed') return Math.max(1, Math.floor(limit / 2));
  return Math.min(MAX_LANE_LIMIT, limit + 1);
}
