import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '@parcelway/kernel/clock';
import { createLeasedWork, type HeldWork, type RegularWork } from '@parcelway/kernel/leased-work';
import type { Logger } from '@parcelway/kernel/logger';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import { FILLED, placeInText, stepOf, textOfPlace } from './domain/filling.ts';
import type { TermFilling } from './ports.ts';

/** Forecasts that are looked at together. */
const PAGE = 50;
/** Between two passes: a rollout is over by then. */
export const NEXT_PASS_MS = 3_600_000;
/** After a failure. */
const RETRY_MS = 10_000;
/** Steps take at most a quarter of the time, so that other work has the rest. */
const PAUSE_PER_MS = 3;
const MAX_PAUSE_MS = 1000;

/** What giving forecasts their terms needs. */
export interface FillTermsOptions {
  readonly filling: TermFilling;
  readonly lease: WorkLease;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Passes over all forecasts, when the first meets one that lacks terms. Where several processes write, replicas of a release without the search do so
   * during a rollout: the second pass brings what they left.
   */
  readonly passes: number;
}

/**
 * Goes on giving forecasts their terms, from where the work was left.
 * @param pace called after each step with the milliseconds that it took
 * @returns when the work is due again; undefined when nothing is left to do for ever
 * @throws AppError 50301
 */
export async function fillTerms(
  { filling, clock, logger, passes }: FillTermsOptions,
  held: HeldWork,
  pace: (tookMs: number) => Promise<void>,
): Promise<number | undefined> {
  if (held.place === FILLED) return undefined;
  let place = placeInText(held.place);
  while (!held.isOver()) {
    const beganAt = performance.now();
    const step = stepOf(await filling.next(place.after, PAGE));
    const last = step.at(-1);
    if (last === undefined) {
      const isOver = !place.hasFilled || place.pass >= passes;
      await held.reach(isOver ? FILLED : textOfPlace({ pass: place.pass + 1, hasFilled: false, after: null }));
      if (place.hasFilled) logger.info({ pass: place.pass }, 'Older forecasts can be found by their SKUs and numbers');
      return isOver ? undefined : clock.now() + NEXT_PASS_MS;
    }
    if (place.after === null)
      logger.info({ pass: place.pass }, 'Looking for older forecasts that cannot be found by their SKUs and numbers');
    const filled = await filling.fill(step.map((one) => one.place));
    place = { pass: place.pass, hasFilled: place.hasFilled || filled > 0, after: last.place };
    await held.renew(textOfPlace(place));
    await pace(performance.now() - beganAt);
  }
  return clock.now();
}

/** Gives forecasts their terms in the background, in one process at a time of those that share the store, and ends for ever when that is done. */
export function createTermFilling(options: FillTermsOptions): Pick<RegularWork, 'start' | 'stop'> {
  const { lease, clock, logger } = options;
  const stopped = new AbortController();
  const pace = async (tookMs: number): Promise<void> => {
    const waiting = pause(Math.min(MAX_PAUSE_MS, PAUSE_PER_MS * tookMs), undefined, { signal: stopped.signal, ref: false });
    // The stop ends the pause.
    await waiting.catch(() => undefined);
  };
  const work = createLeasedWork({
    lease,
    clock,
    logger,
    everyMs: NEXT_PASS_MS,
    retryMs: RETRY_MS,
    failure: 'Preparing older forecasts for the search failed; it is retried',
    async work(held) {
      const dueAt = await fillTerms(options, held, pace);
      // Not awaited: it waits for this very work.
      if (dueAt === undefined) void work.stop();
      return dueAt ?? clock.now();
    },
  });
  return {
    start: () => work.start(),
    async stop() {
      stopped.abort();
      await work.stop();
    },
  };
}
