import { pause } from '../suite.ts';

/** Before an event that was not acknowledged is published again. */
const AGAIN_AFTER_MS = 100;
/** Events that wait for their acknowledgement, at most; a side that accepts none is not flooded. What waits still counts from its intended instant. */
const MAX_OPEN = 20_000;

/** Instants of one event, milliseconds of the machine's monotonic clock. */
export interface Published {
  /** When the schedule wanted it published. */
  readonly intended: number;
  /** When it was first handed to the side under test. */
  readonly called: number;
  /** When that acknowledged it; undefined when it never did. */
  readonly acknowledged: number | undefined;
}

/** The machine's monotonic clock in milliseconds: the same in every process. */
export function monotonicNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/**
 * When an event is to be published, milliseconds after the beginning. Publishers go in step: as many events as there are
 * publishers at one instant, so that the rate of all together is `perSecond`.
 */
function intendedAt(index: number, { perSecond, publishers }: { readonly perSecond: number; readonly publishers: number }): number {
  return (Math.floor(index / publishers) * publishers * 1000) / perSecond;
}

/** What is published, and for how long it is tried. */
export interface OpenLoop {
  readonly perSecond: number;
  readonly publishers: number;
  /** Events in all. */
  readonly count: number;
  /** An event that is not acknowledged is published again for this long after the last one was due. */
  readonly retryForMs: number;
  /** Publishes one event; rejects when it was not acknowledged. The same index may be asked for again. */
  publish(index: number): Promise<unknown>;
}

/**
 * Publishes events by an absolute schedule: how long one takes does not put off the next, so a stall of the side under
 * test shows in the latencies of all that were due meanwhile (no coordinated omission).
 * @returns the instants of each event, by index; once all are acknowledged or this time is over
 */
export async function publishOpenLoop(loop: OpenLoop): Promise<Published[]> {
  const published: Published[] = [];
  const open = new Set<Promise<void>>();
  const begun = monotonicNow();
  const retryUntil = begun + intendedAt(loop.count, loop) + loop.retryForMs;
  for (let index = 0; index < loop.count; ) {
    const intended = begun + intendedAt(index, loop);
    if (monotonicNow() < intended || open.size >= MAX_OPEN) {
      if (monotonicNow() > retryUntil) break;
      await pause(1);
      continue;
    }
    const at = index;
    const one = publishUntil(loop, at, intended, retryUntil).then((instants) => {
      published[at] = instants;
    });
    open.add(one);
    one.finally(() => open.delete(one));
    index += 1;
  }
  await Promise.all(open);
  return published;
}

async function publishUntil(loop: OpenLoop, index: number, intended: number, retryUntil: number): Promise<Published> {
  const called = monotonicNow();
  for (;;) {
    try {
      await loop.publish(index);
      return { intended, called, acknowledged: monotonicNow() };
    } catch {
      // Whoever publishes keeps what was not acknowledged and tries again: it counts as accepted only once it was.
      if (monotonicNow() + AGAIN_AFTER_MS > retryUntil) return { intended, called, acknowledged: undefined };
      await pause(AGAIN_AFTER_MS);
    }
  }
}
