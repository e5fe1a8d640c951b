/** Places in the feed for events that are about to be stored, one after the other. */
export interface Stamp {
  /** The first place, microseconds since the epoch. */
  readonly first: number;
  /** By the clock of {@link performance}. */
  readonly takenAt: number;
}

/**
 * The order in which events are stored, for their places in the feed. A reader who goes on from a place must not miss an event that is stored later under
 * an earlier one.
 */
export interface FeedOrder {
  /** Takes places behind all that were taken before. @param now of the caller, epoch milliseconds @throws AppError 50301 */
  take(count: number, now: number): Promise<Stamp>;
  /** Notes that the events with a stamp are stored, or never will be. */
  end(stamp: Stamp): void;
  /** True when a reader may have passed the places of a stamp by now. */
  isPassed(stamp: Stamp): boolean;
  /** True when a reader may have passed a place before its event was there, which was found stored at a later stamp. */
  mayBeMissed(storedAt: number, found: Stamp): boolean;
  /** The last place that is shown: nothing comes before it any more. @throws AppError 50301 */
  shownUntil(): Promise<number>;
}

/** The order of a process that has its store to itself, and stores one batch after the other. @param last the last place that is stored */
export function createLoneFeedOrder(last: number): FeedOrder {
  let taken = last;
  let shown = last;
  return {
    async take(count, now) {
      const first = Math.max(taken + 1, now * 1000);
      taken = first + Math.max(0, count - 1);
      return { first, takenAt: 0 };
    },
    end() {
      shown = taken;
    },
    isPassed: () => false,
    mayBeMissed: () => false,
    shownUntil: async () => shown,
  };
}

/** The feed shows an event this long after its stamp. */
export const FEED_SETTLE_MS = 3000;
/** A stamp is good while its write takes no longer: the rest of the time is for estimates of the server's clock that differ. */
const CONFIRM_MS = FEED_SETTLE_MS / 2;

/**
 * The order of processes that share a store: its clock. Their writes overlap, so the feed ends some seconds ago. A writer that has waited for longer than half
 * of that time gives its events new places; the other half is for differing estimates of the clock, a new primary's included.
 * @param serverTime epoch milliseconds by the clock of the database
 */
export function createSharedFeedOrder(serverTime: () => Promise<number>): FeedOrder {
  let taken = 0;
  return {
    async take(count) {
      const first = Math.max(taken + 1, (await serverTime()) * 1000);
      taken = first + Math.max(0, count - 1);
      return { first, takenAt: performance.now() };
    },
    end: () => undefined,
    isPassed: ({ takenAt }) => performance.now() - takenAt > CONFIRM_MS,
    mayBeMissed: (storedAt, { first }) => first - storedAt > CONFIRM_MS * 1000,
    shownUntil: async () => ((await serverTime()) - FEED_SETTLE_MS) * 1000,
  };
}
