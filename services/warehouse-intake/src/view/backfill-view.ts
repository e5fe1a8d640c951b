import type { ForecastSnapshot, ForecastSnapshotPage } from '@parcelway/contracts/forecast-snapshot';
import { AppError } from '@parcelway/kernel/app-error';
import { type Clock, isoInstant } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { Logger } from '@parcelway/kernel/logger';
import { withItems } from './domain/forecast-copy.ts';
import { withSnapshot } from './domain/view-snapshot.ts';
import type { ItemSource } from './follow-view.ts';
import { type BackfillProgress, type BackfillState, changeForecast, type ViewWriter } from './ports.ts';

/** Forecasts as the forecast service has them. */
export interface SnapshotSource {
  /**
   * A page of all forecasts.
   * @param after `next` of the previous page; null begins
   * @param closedSince leaves out what left or was cancelled before; epoch milliseconds
   * @throws AppError 50301 when they cannot be read now, 40402 while the forecast service is of a former release
   */
  pageOf(after: string | null, closedSince: number): Promise<ForecastSnapshotPage>;
}

/** What filling the view needs. */
export interface BackfillOptions {
  readonly view: ViewWriter;
  readonly progress: BackfillProgress;
  readonly snapshots: SnapshotSource;
  readonly items: ItemSource;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Forecasts are shown this long after they left or were cancelled. */
  readonly keepMs: number;
}

/**
 * The view is filled twice: during a rollout, replicas of a release without the view still consume events, and the second time brings what
 * they took.
 */
export const PASSES = 2;
/** Between the two: a rollout is over by then. */
export const NEXT_PASS_MS = 3_600_000;
/** Between two looks at whether there is something to do, until there is nothing for ever. */
const LOOK_EVERY_MS = 10_000;
/** Forecasts that are written at the same time: the consumers go on meanwhile. */
const AT_ONCE = 8;
const LOG_EVERY = 1000;

/**
 * Fills the view with forecasts that were accepted before it was there, page by page. It goes on where it was left, by whichever process;
 * what two do at the same time is done twice and harmless.
 * @param stopping true when it is to end early
 * @returns true when nothing is left to do for ever
 * @throws AppError when a page cannot be read or written; the next call repeats it
 */
export async function backfillView(options: BackfillOptions, stopping: () => boolean): Promise<boolean> {
  const { progress, logger, clock, keepMs, snapshots } = options;
  let state = await progress.claim();
  while (typeof state !== 'string' && !stopping()) {
    const page = await snapshots.pageOf(state.after, clock.now() - keepMs);
    if (state.after === null && page.forecasts.length > 0) {
      logger.info({ pass: state.pass }, 'Adding older forecasts to the warehouse view');
    }
    await copy(options, page.forecasts);
    await failpointAsync('intake.before-backfill-recorded');
    const done: BackfillState = { pass: state.pass, after: page.next, copied: state.copied + page.forecasts.length };
    const isOver = page.next === null;
    const next: BackfillState = isOver ? { pass: state.pass + 1, after: null, copied: 0 } : done;
    if (await progress.record(state, next, isOver ? clock.now() + NEXT_PASS_MS : 0)) report(logger, state, done, isOver);
    // Asked again each time: another process may have gone on.
    state = await progress.claim();
  }
  return state === 'done';
}

function report(logger: Logger, before: BackfillState, { pass, copied: forecasts }: BackfillState, isOver: boolean): void {
  if (isOver && forecasts > 0) logger.info({ pass, forecasts }, 'Older forecasts were added to the warehouse view');
  else if (Math.floor(forecasts / LOG_EVERY) > Math.floor(before.copied / LOG_EVERY))
    logger.info({ pass, forecasts }, 'Older forecasts are being added to the warehouse view');
}

/** Fills the view in the background and ends for ever when that is done. A failure is logged and tried again. */
export function startBackfill(options: BackfillOptions): { stop(): Promise<void> } {
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  const run = async (): Promise<void> => {
    const isDone = await backfillView(options, () => stopping).catch((error: unknown) => {
      options.logger.warn({ err: error }, 'Adding older forecasts to the warehouse view failed; it will be retried');
      return false;
    });
    if (!isDone && !stopping) timer = setTimeout(begin, LOOK_EVERY_MS).unref();
  };
  let running = run();
  const begin = (): void => {
    running = run();
  };
  return {
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await running;
    },
  };
}

async function copy(options: BackfillOptions, snapshots: readonly ForecastSnapshot[]): Promise<void> {
  for (let first = 0; first < snapshots.length; first += AT_ONCE) {
    await Promise.all(snapshots.slice(first, first + AT_ONCE).map((snapshot) => copyOne(options, snapshot)));
  }
}

/** A forecast that cannot be shown for a reason that lasts does not hold up the others. */
async function copyOne(options: BackfillOptions, snapshot: ForecastSnapshot): Promise<void> {
  try {
    await show(options, snapshot);
  } catch (error) {
    if (error instanceof AppError && error.code === '50301') throw error;
    const forecast = { tenant_id: snapshot.tenant_id, forecast_no: snapshot.content.forecast_no };
    options.logger.error(
      { err: error, ...forecast },
      'Adding a forecast to the warehouse view failed; it appears after its next correction',
    );
  }
}

async function show({ view, items: source }: BackfillOptions, snapshot: ForecastSnapshot): Promise<void> {
  const { forecast_no: forecastNo, version = 1, items } = snapshot.content;
  // Systems outside hear of it as of an acceptance: they do not know it yet.
  const note = { change: 'accepted', changedAt: isoInstant(Date.parse(snapshot.as_of)) } as const;
  let isComplete = false;
  await changeForecast(view, forecastNo, (before) => {
    const forecast = withSnapshot(before, snapshot);
    const complete = items ? withItems(forecast, version) : undefined;
    isComplete = (complete ?? forecast).itemsVersion >= version;
    if (complete !== undefined && items) return { forecast: complete, items, notes: [note] };
    return forecast === before ? undefined : { forecast, notes: [note] };
  });
  if (isComplete) return;
  const current = await source.itemsOf(snapshot.tenant_id, forecastNo, version);
  await changeForecast(view, forecastNo, (before) => {
    const complete = before && withItems(before, current.version);
    return complete && { forecast: complete, items: current.items, notes: [note] };
  });
}
