/** When relays of distributed mode publish, in milliseconds: see outbox-relay. */
export const relayTiming = {
  /** Messages that are written within so long after a publication of so many began share the next one: few are published soon, many cost the brokers few requests. */
  gatherMs: (published: number): number => Math.min(30, Math.max(8, 1.5 * published)),
  /** Messages that nobody waits for go so long after the publication before. */
  unhurriedMs: 300,
  /** Time for what is left in the outbox when the platform closes; what remains is published by another replica or the next start. */
  drainMs: 1000,
} as const;
