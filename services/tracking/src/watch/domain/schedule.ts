import { backOffMs } from '@parcelway/kernel/back-off';
import { parseDuration } from '@parcelway/kernel/duration';

/** Well over the deadline of a carrier: a poller that holds a shipment for longer has ended. */
const LEASE_MS = 60_000;

/** Until when a poller holds the shipments that it takes now. The shipment is free again earlier when it is rescheduled or has news. */
export function leaseEnd(now: number): number {
  return now + LEASE_MS;
}

/** How often a parcel is looked at while it is younger than `untilMs`. */
export interface PollStage {
  readonly untilMs: number;
  readonly intervalMs: number;
}

/** Stages by rising age; after the last one a parcel is no longer looked at. */
export type PollSchedule = readonly PollStage[];

/** Often while a parcel moves quickly, seldom while it lies at sea; the end is where carriers forget their parcels. */
export const DEFAULT_SCHEDULE = '1d:15m,3d:1h,14d:3h,60d:12h,120d:1d';

/** Polls are spread by this share of the interval, so that parcels of one dispatch do not come back together. */
const JITTER = 0.1;
const FIRST_RETRY_MS = 60_000;
/** A carrier that is out is asked at least this often, if the stage does not say less. */
const MAX_RETRY_MS = 15 * 60_000;

/**
 * Reads a schedule such as `1d:15m,3d:1h`: up to an age of 1 day every 15 minutes, then up to 3 days every hour.
 * @throws Error with a sentence that completes "<NAME> …"
 */
export function parseSchedule(text: string): PollSchedule {
  const stages = text.split(',').map((part) => {
    const [until, interval] = part.split(':').map((duration) => parseDuration(duration));
    return { untilMs: until ?? Number.NaN, intervalMs: interval ?? Number.NaN };
  });
  const good = stages.every(
    (stage, index) =>
      stage.intervalMs >= 1000 && stage.untilMs > (stages[index - 1]?.untilMs ?? 0) && /^[^:]+:[^:]+$/.test(text.split(',')[index] ?? ''),
  );
  if (!good) throw new Error(`must be a list of age:interval with rising ages and intervals of 1s or more, such as ${DEFAULT_SCHEDULE}`);
  return stages;
}

function spread(ms: number, random: number): number {
  return Math.round(ms * (1 + JITTER * (2 * random - 1)));
}

/**
 * Milliseconds until the next poll after a good one, or null when the parcel is too old to be watched.
 * @param ageMs since the parcel came under watch; a negative one counts as 0
 * @param random 0 to 1
 */
export function nextPollDelay(schedule: PollSchedule, ageMs: number, random: number): number | null {
  const stage = schedule.find(({ untilMs }) => Math.max(0, ageMs) < untilMs);
  return stage ? spread(stage.intervalMs, random) : null;
}

const DAY_MS = 86_400_000;
/** Sources correct a final status within this time, or never. */
const WATCH_AFTER_END_MS = 15 * DAY_MS;

/**
 * When a parcel with a final status is looked at again: daily for 15 days after its last change, so that a correction re-opens it. Null after that,
 * and for a carrier that says itself whether its status is final. Times in epoch milliseconds.
 */
export function pollAfterEnd(
  { askedAt, lastChangeAt }: { readonly askedAt: number; readonly lastChangeAt: number },
  now: number,
): number | null {
  return askedAt > 0 && now < lastChangeAt + WATCH_AFTER_END_MS ? now + DAY_MS : null;
}

/**
 * Milliseconds until the next poll after a failed one: 1 minute, doubling to 15 minutes or the interval of the stage,
 * whichever is longer. Null when the parcel is too old.
 * @param failures failed polls in a row, this one included; at least 1
 */
export function retryDelay(schedule: PollSchedule, ageMs: number, failures: number, random: number): number | null {
  const stage = schedule.find(({ untilMs }) => Math.max(0, ageMs) < untilMs);
  if (!stage) return null;
  return spread(backOffMs({ firstMs: FIRST_RETRY_MS, maxMs: Math.max(MAX_RETRY_MS, stage.intervalMs) }, failures), random);
}
