import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { deletionStep, Upkeep } from '@parcelway/kernel/upkeep';
import type { View } from './expected/view-store.ts';
import type { Intake } from './reports/intake-store.ts';

const EVERY_MS = 60_000;

/** Longer than the deadline of a call plus the difference between two clocks: by then, the process that began a step has stopped. */
const RESUME_AFTER_MS = 60_000;

/** Small enough that a batch does not delay incoming events. */
const BATCH = 500;
/** Forecasts of the view have items, which may be large. */
const VIEW_BATCH = 200;

export interface UpkeepOptions {
  readonly intake: Pick<Intake, 'resume' | 'purge'>;
  readonly view: Pick<View, 'purge'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called after the outbox was written to. */
  readonly notify: () => void;
  /** How long events are kept, and forecasts that have left. */
  readonly keepMs: number;
}

/** Finishes events that a crash or an outage left half processed. @returns true when more may be left */
async function resumeEvents({ intake, logger, notify, clock }: UpkeepOptions): Promise<boolean> {
  const { resumed, published } = await intake.resume(clock.now() - RESUME_AFTER_MS, BATCH);
  if (published > 0) notify();
  if (resumed > 0) logger.warn({ events: resumed, published }, 'Finished events that had been left half processed');
  return resumed >= BATCH;
}

/** Deletes events past their retention, and logs those that never found a forecast. @returns how many it deleted */
async function expireEvents({ intake, logger }: UpkeepOptions, before: number, limit: number): Promise<number> {
  const { deleted, unclaimed } = await intake.purge(before, limit);
  if (unclaimed.length > 0) {
    const sample = unclaimed.slice(0, 20).map((event) => `${event.warehouseCode}/${event.eventId}`);
    logger.warn({ events: unclaimed.length, sample }, 'Unclaimed events were deleted: no forecast matched them in time');
  }
  return deleted;
}

/** Finishes half-processed events and deletes old data, every minute. */
export function createUpkeep(options: UpkeepOptions): Upkeep {
  const { view, clock, logger, keepMs } = options;
  const deletions = [
    { what: 'Deleting old events', keptMs: keepMs, deleteBefore: (at: number, limit: number) => expireEvents(options, at, limit) },
    {
      what: 'Deleting old forecasts of the view',
      keptMs: keepMs,
      limit: VIEW_BATCH,
      deleteBefore: (at: number, limit: number) => view.purge(at, limit),
    },
  ];
  const resuming = { what: 'Finishing half-processed events', run: () => resumeEvents(options) };
  return new Upkeep({ steps: [resuming, ...deletions.map((one) => deletionStep(clock, one))], everyMs: EVERY_MS, logger });
}
