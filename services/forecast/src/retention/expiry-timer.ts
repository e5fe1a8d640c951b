import { setTimeout as pause } from 'node:timers/promises';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { expireForecasts } from './expire-forecasts.ts';
import { SkippedForecasts } from './skipped-forecasts.ts';
import type { ExpireOptions } from './tenant-turn.ts';

/** What the timer needs besides what a turn does. */
export interface ExpiryTimerOptions extends Omit<ExpireOptions, 'pace' | 'stopping' | 'skipped'> {
  readonly metrics: ServiceTelemetry['metrics'];
  /** Deletes some of what is over in the archive, and returns how much; called on each day of UTC until it returns 0. */
  readonly sweepArchive: (() => Promise<number>) | undefined;
}

/** The expiry as something that runs. */
export interface ExpiryTimer {
  /** Begins now, and then every 10 minutes. */
  start(): void;
  /** Ends after the batch under way. */
  stop(): Promise<void>;
}

const EVERY_MS = 10 * 60_000;
const MIN_EVERY_MS = 1000;
const DAY_MS = 86_400_000;

/** Batches take at most a quarter of the time, so that other work has the rest. */
const PAUSE_PER_MS = 3;
const MAX_PAUSE_MS = 2000;

/** Makes the expiry that repeats itself. */
export function createExpiryTimer(options: ExpiryTimerOptions): ExpiryTimer {
  const { installation, clock, logger, metrics, sweepArchive } = options;
  const everyMs = Math.max(MIN_EVERY_MS, Math.min(EVERY_MS, installation.forecastMs ?? EVERY_MS, installation.fileMs ?? EVERY_MS));
  const stopped = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const skipped = new SkippedForecasts();
  let sweptDay: number | undefined;

  const pace = async (tookMs: number): Promise<void> => {
    const waiting = pause(Math.min(MAX_PAUSE_MS, PAUSE_PER_MS * tookMs), undefined, { signal: stopped.signal, ref: false });
    // The stop ends the pause.
    await waiting.catch(() => undefined);
  };

  const turn = async (): Promise<void> => {
    const turn = { ...options, skipped, pace, stopping: () => stopped.signal.aborted };
    const { forecasts, files, skipped: failed, unavailable, overdueMs } = await expireForecasts(turn);
    metrics.set('parcelway_retention_overdue_seconds', {}, overdueMs / 1000);
    metrics.count('parcelway_retention_expired_total', { kind: 'forecast' }, forecasts);
    metrics.count('parcelway_retention_expired_total', { kind: 'files' }, files);
    metrics.count('parcelway_retention_skipped_total', {}, failed);
    if (unavailable !== undefined)
      logger.warn({ err: unavailable }, 'Some tenants had no turn of the retention; they have one in the next');
    if (forecasts > 0 || files > 0) logger.info({ forecasts, files }, 'Forecasts were deleted because their retention has ended');
  };

  /** Apart from the forecasts: when they fail, the archive has its turn all the same. */
  const sweep = async (): Promise<void> => {
    const today = Math.floor(clock.now() / DAY_MS);
    if (sweepArchive === undefined || sweptDay === today) return;
    let objects = 0;
    while (!stopped.signal.aborted) {
      const deleted = await sweepArchive();
      objects += deleted;
      if (deleted > 0) continue;
      sweptDay = today;
      break;
    }
    if (objects > 0) logger.info({ objects }, 'Objects of the archive were deleted because their retention has ended');
  };

  const run = (): void => {
    running = turn()
      .catch((error: unknown) => logger.warn({ err: error }, 'Deleting forecasts whose retention has ended failed; it is retried'))
      .then(sweep)
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'Deleting objects of the archive whose retention has ended failed; it is retried'),
      )
      .finally(() => {
        if (!stopped.signal.aborted) timer = setTimeout(run, everyMs).unref();
      });
  };
  return {
    start: run,
    async stop() {
      stopped.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
