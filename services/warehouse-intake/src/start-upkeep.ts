import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { ViewRetention } from './expected/ports.ts';
import { REJECTIONS_KEPT_MS } from './reports/domain/event-outcome.ts';
import type { Recovery, Rejections, Retention } from './reports/ports.ts';

const EVERY_MS = 60_000;

/** Above the deadline of a call and the difference between two clocks: whoever began a step has stopped by then. */
const RESUME_AFTER_MS = 60_000;

/** Small enough that a batch does not hold up the events that come in meanwhile. */
const BATCH = 500;
/** Forecasts of the view have items, which may be large. */
const VIEW_BATCH = 200;

/** What the upkeep needs. */
export interface UpkeepOptions {
  readonly intake: Recovery & Retention;
  readonly rejections: Pick<Rejections, 'forget'>;
  readonly view: ViewRetention;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Says that the outbox was written to. */
  readonly notify: () => void;
  /** Events, and forecasts that have left, are kept this long. */
  readonly keepMs: number;
}

/** Finishes what a crash of this process or another left half done. @returns how many events it was */
async function resumeEvents({ intake, logger, notify, clock }: UpkeepOptions): Promise<number> {
  const { resumed, published } = await intake.resume(clock.now() - RESUME_AFTER_MS, BATCH);
  if (published > 0) notify();
  if (resumed > 0) logger.warn({ events: resumed, published }, 'Events that were processed only partly have been finished');
  return resumed;
}

/** Deletes events past their time, and names those in the log that never found a forecast. @returns how many it deleted */
async function expireEvents({ intake, logger, keepMs, clock }: UpkeepOptions): Promise<number> {
  const { deleted, unclaimed } = await intake.purge(clock.now() - keepMs, BATCH);
  if (unclaimed.length > 0) {
    const sample = unclaimed.slice(0, 20).map((event) => `${event.warehouseCode}/${event.eventId}`);
    logger.warn({ events: unclaimed.length, sample }, 'Unclaimed events were deleted: no forecast matched them in time');
  }
  return deleted;
}

/**
 * Finishes what a crash has cut short and deletes what is old, batch by batch: at once, and then a minute after each round. A step that fails holds
 * up no other and is tried again in the next round.
 * @returns what ends it: when it resolves, nothing runs any more
 */
export function startUpkeep(options: UpkeepOptions): { stop(): Promise<void> } {
  const { rejections, view, clock, logger, keepMs } = options;
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  const steps: readonly (readonly [string, number, () => Promise<number>])[] = [
    ['Finishing events that were processed only partly', BATCH, () => resumeEvents(options)],
    ['Deleting old events', BATCH, () => expireEvents(options)],
    ['Deleting old rejected reports', BATCH, () => rejections.forget(clock.now() - REJECTIONS_KEPT_MS, BATCH)],
    ['Deleting old forecasts of the view', VIEW_BATCH, () => view.purge(clock.now() - keepMs, VIEW_BATCH)],
  ];
  const runAll = async (): Promise<void> => {
    for (const [what, limit, step] of steps) {
      try {
        while ((await step()) >= limit && !stopping);
      } catch (error) {
        logger.warn({ err: error }, `${what} failed; it will be retried`);
      }
    }
    if (!stopping) timer = setTimeout(begin, EVERY_MS).unref();
  };
  const begin = (): void => {
    round = runAll();
  };
  begin();
  return {
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await round;
    },
  };
}
