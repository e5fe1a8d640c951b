import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Store } from '@parcelway/store/store';
import { type Expected, type ExpectedKey, expected } from './expected-collection.ts';

/** Every change that becomes visible later than this after its stamp has been stamped again. */
export const SETTLE_MS = 3000;
/** A stamp is good while its write takes no longer: the rest of the time is for estimates of the server's clock that differ. */
const CONFIRM_MS = SETTLE_MS / 2;
/** A server that is slow so many times in a row is out. */
const MAX_TRIES = 3;
const MICROSECONDS = 1000;

/** Gives changes their places in the order that polls follow: epoch microseconds. */
export interface ViewSequence {
  /**
   * Runs a write of `count` changes with places that follow one another. A poll shows the changes once it has resolved.
   * @param write given the first place; returns what got one
   */
  stamped(count: number, write: (first: number) => Promise<readonly ExpectedKey[]>): Promise<void>;
  /** Call it for changes that were found written: whoever wrote them may not have lived to see them confirmed. */
  renew(found: readonly Expected[]): Promise<void>;
  /** Every change that is not visible yet has a later stamp, or gets one. */
  settled(): Promise<number>;
}

/** The sequence of a process that has its store to itself. */
export function createLoneSequence(store: Store, clock: Clock): ViewSequence {
  const open = new Set<number>();
  let last: number | undefined;
  /** The last stamp that was given, also before a clock that was set back. */
  const lastStamp = async (): Promise<number> => {
    if (last !== undefined) return last;
    let found = 0;
    for (let after: string | undefined; ; ) {
      const groups = await store.groups(expected.by.status, { limit: 100, ...(after !== undefined && { after }) });
      for (const { group } of groups) {
        const { items } = await store.find(expected.by.status, { eq: [group, [0, 1, 2, 3, 4, 5, 6, 7]], limit: 1 });
        found = Math.max(found, items[0]?.value.stamp ?? 0);
      }
      if (groups.length < 100) break;
      after = String(groups.at(-1)?.group);
    }
    last ??= found;
    return last;
  };
  return {
    async stamped(count, write) {
      const first = Math.max((await lastStamp()) + 1, clock.now() * MICROSECONDS, (last ?? 0) + 1);
      last = first + count - 1;
      open.add(first);
      try {
        await write(first);
      } finally {
        open.delete(first);
      }
    },
    renew: async () => undefined,
    async settled() {
      const given = await lastStamp();
      return open.size === 0 ? given : Math.min(...open) - 1;
    },
  };
}

/**
 * The sequence of several processes, by the clock of the server. A change gets a new place when a poll may have passed its place before the change could be
 * read: the forecast is then shown twice rather than never.
 * @param time epoch milliseconds on the server
 */
export function createSharedSequence(store: Store, time: () => Promise<number>): ViewSequence {
  let last = 0;
  const take = async (count = 1) => {
    const at = Math.max(last + 1, (await time()) * MICROSECONDS);
    last = at + count - 1;
    return { at, takenAt: performance.now() };
  };
  const stampAnew = async (keys: readonly ExpectedKey[]): Promise<void> => {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const { at, takenAt } = await take();
      await store.change([{ in: expected, keys }], (known) => ({
        writes: keys.flatMap((key) => {
          const stored = known.get(expected, key);
          // A write of a former try that arrives after this one must not move a forecast back.
          return stored === undefined || (stored.value.stamp ?? 0) >= at ? [] : [{ in: expected, patch: stored, set: { stamp: at } }];
        }),
        result: undefined,
      }));
      if (performance.now() - takenAt <= CONFIRM_MS) return;
    }
    throw AppError.unavailable('The store is too slow to order changes; try again');
  };
  return {
    async stamped(count, write) {
      const { at, takenAt } = await take(count);
      const keys = await write(at);
      if (performance.now() - takenAt > CONFIRM_MS) await stampAnew(keys);
    },
    async renew(found) {
      if (found.length === 0) return;
      const { at } = await take();
      // A stamp that is young enough is seen in time.
      const old = found.filter(({ stamp = at }) => at - stamp > CONFIRM_MS * MICROSECONDS);
      if (old.length > 0) await stampAnew(old.map(({ forecastNo, place }) => [forecastNo, place]));
    },
    settled: async () => ((await time()) - SETTLE_MS) * MICROSECONDS,
  };
}
