/*
 * A breaker for each endpoint. Trying every waiting delivery at a receiver that is down costs both sides, and uses up
 * schedules; so after enough failures in a row only single attempts are made, at growing distances, until one succeeds.
 * Deliveries that wait keep their place in the schedule.
 */

/** State of an open circuit; null stands for a closed one. */
export interface Circuit {
  /** Nothing is sent before, epoch milliseconds; from then on one attempt at a time, as a probe. */
  readonly openUntil: number;
  /** How long it is open this time, milliseconds, without jitter. */
  readonly cooldownMs: number;
}

/** Failures in a row that open a circuit. */
export const FAILURES_TO_OPEN = 20;
/** Open for so long at first; twice as long after each failed probe. */
export const FIRST_COOLDOWN_MS = 1_000;
/** Never open for longer: a receiver that is back is found within this time. */
export const MAX_COOLDOWN_MS = 60_000;
/** No circuit that looks open for longer is believed. Room for clocks that differ by as much as the longest cool-down. */
export const MAX_OPEN_MS = 2 * MAX_COOLDOWN_MS;
/** Each cool-down is longer by up to this share, so that circuits that opened together are not probed together. */
const JITTER = 0.2;

/** Attempts that a circuit lets through at once. */
export function probesAllowed(circuit: Circuit | null, now: number): number {
  if (circuit === null) return Number.POSITIVE_INFINITY;
  return isOpen(circuit, now) ? 0 : 1;
}

/** True while nothing is sent. */
export function isOpen(circuit: Circuit | null, now: number): boolean {
  return circuit !== null && now < circuit.openUntil && circuit.openUntil - now <= MAX_OPEN_MS;
}

/** Names of a breaker's states: half open while single attempts probe. */
export type CircuitState = 'closed' | 'open' | 'half_open';

export function circuitState(circuit: Circuit | null, now: number): CircuitState {
  if (circuit === null) return 'closed';
  return isOpen(circuit, now) ? 'open' : 'half_open';
}

/**
 * The circuit after an attempt.
 * @param failuresInARow this one included; 0 after a success
 * @param random in [0, 1), for the jitter
 * @returns the same object when nothing changes
 */
export function circuitAfter(circuit: Circuit | null, failuresInARow: number, now: number, random: number): Circuit | null {
  if (failuresInARow === 0) return null;
  if (circuit === null && failuresInARow < FAILURES_TO_OPEN) return null;
  // An attempt that began before the circuit opened says nothing new.
  if (isOpen(circuit, now)) return circuit;
  const cooldownMs = circuit === null ? FIRST_COOLDOWN_MS : Math.min(2 * circuit.cooldownMs, MAX_COOLDOWN_MS);
  return { openUntil: now + Math.round(cooldownMs * (1 + JITTER * random)), cooldownMs };
}
