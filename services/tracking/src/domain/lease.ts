/** When a shipment is polled next, and who polls it. Times in epoch milliseconds. */
export interface PollTimes {
  /** Null when the watch has ended. */
  readonly nextPollAt: number | null;
  /** Until when one poller holds the shipment; 0 when none does. */
  readonly leaseUntil: number;
}

/** Well over the deadline of a carrier: a poller that holds a shipment for longer has ended. */
const LEASE_MS = 60_000;

/** Until when a poller holds the shipments that it takes now. The shipment is free again earlier when it is rescheduled or has news. */
export function leaseEnd(now: number): number {
  return now + LEASE_MS;
}

/** True when a poller may take the shipment: its time has come and no other poller holds it. */
export function isDue({ nextPollAt, leaseUntil }: PollTimes, now: number): boolean {
  return nextPollAt !== null && nextPollAt <= now && leaseUntil <= now;
}
