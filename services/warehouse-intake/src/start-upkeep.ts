import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { ViewRetention } from './expected/ports.ts';
import { REJECTIONS_KEPT_MS } from './reports/domain/event-outcome.ts';
import type { Recovery, Rejections, Retention } from './reports/ports.ts';

const EVERY_MS = 60_000;

/** Longer than the deadline of a call plus the difference between two clocks: by then, the process that began a step has stopped. */
const RESUME_AFTER_MS = 60_000;

/** Small enough that a batch does not delay incoming events. */
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
  /** Called after the outbox was written to. */
  readonly notify: () => void;
  /** How long events are kept, and forecasts that have left. */
  readonly keepMs: number;
}

/** Finishes events that a crash or an outage left half processed. @returns how many */
async function resumeEvents({ intake, logger, notify, clock }: UpkeepOptions): Promise<number> {
  const { resumed, published } = await intake.resume(clock.now() - RESUME_AFTER_MS, BATCH);
  if (published > 0) notify();
  if (resumed > 0) logger.warn({ events: resumed, published }, 'Finished events that had been left half processed');
  return resumed;
}

/** Deletes events past their retention, and logs those that never found a forecast. @returns how many it deleted */
async function expireEvents({ intake, logger, keepMs, clock }: UpkeepOptions): Promise<number> {
  const { deleted, unclaimed } = await intake.purge(clock.now() - keepMs, BATCH);
  if (unclaimed.length > 0) {
    const sample = unclaimed.slice(0, 20).map((event) => `${event.warehouseCode}/${event.eventId}`);
    logger.warn({ events: unclaimed.length, sample }, 'Unclaimed events were deleted: no forecast matched them in time');
  }
  return deleted;
}

/**
 * Finishes half-processed events and deletes old data, in batches. The first round runs at once, each next one a minute after the
 * last. A step that fails does not stop the others, and is retried in the next round.
 * @returns `stop` resolves once the round has ended. No step begins a second batch after it was called
 */
export function startUpkeep(options: UpkeepOptions): { stop(): Promise<void> } {
  const { rejections, view, clock, logger, keepMs } = options;
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  const steps: readonly (readonly [string, number, () => Promise<number>])[] = [
    ['Finishing half-processed events', BATCH, () => resumeEvents(options)],
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
