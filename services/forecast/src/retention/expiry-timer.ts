import { setTimeout as pause } from 'node:timers/promises';
import { createLeasedWork, type HeldWork } from '@parcelway/kernel/leased-work';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { DAY_MS } from './domain/retention.ts';
import { type ExpireOptions, expireForecasts } from './expire-forecasts.ts';

/** What the timer needs besides what a turn does. */
export interface ExpiryTimerOptions extends Omit<ExpireOptions, 'pace' | 'held'> {
  /** The lease of a work, by its name. */
  readonly lease: (name: string) => WorkLease;
  readonly metrics: ServiceTelemetry['metrics'];
  /** Deletes some of what is over in the archive, and returns how much; called on each day of UTC until it returns 0. */
  readonly sweepArchive: (() => Promise<number>) | undefined;
}

export interface ExpiryTimer {
  /** Begins now, and then every 10 minutes; in one process at a time of those that share the store. */
  start(): void;
  /** Ends after the batch under way. */
  stop(): Promise<void>;
}

const EVERY_MS = 10 * 60_000;
const MIN_EVERY_MS = 1000;

/** Batches take at most a quarter of the time, so that other work has the rest. */
const PAUSE_PER_MS = 3;
const MAX_PAUSE_MS = 2000;

export function createExpiryTimer(options: ExpiryTimerOptions): ExpiryTimer {
  const { installation, lease, clock, logger, metrics, sweepArchive } = options;
  const everyMs = Math.max(MIN_EVERY_MS, Math.min(EVERY_MS, installation.forecastMs ?? EVERY_MS, installation.fileMs ?? EVERY_MS));
  const stopped = new AbortController();

  const pace = async (tookMs: number): Promise<void> => {
    const waiting = pause(Math.min(MAX_PAUSE_MS, PAUSE_PER_MS * tookMs), undefined, { signal: stopped.signal, ref: false });
    // The stop ends the pause.
    await waiting.catch(() => undefined);
  };

  const turn = async (held: HeldWork): Promise<number> => {
    const { forecasts, files, skipped: failed, unavailable, overdueMs, hasMore } = await expireForecasts({ ...options, pace, held });
    metrics.set('parcelway_retention_overdue_seconds', {}, overdueMs / 1000);
    metrics.count('parcelway_retention_expired_total', { kind: 'forecast' }, forecasts);
    metrics.count('parcelway_retention_expired_total', { kind: 'files' }, files);
    metrics.count('parcelway_retention_skipped_total', {}, failed);
    if (unavailable !== undefined) logger.warn({ err: unavailable }, 'Retention skipped some tenants; will retry');
    if (forecasts > 0 || files > 0) logger.info({ forecasts, files }, 'Forecasts were deleted because their retention has ended');
    return hasMore ? clock.now() : clock.now() + everyMs;
  };

  const sweep = (sweepSome: () => Promise<number>) => async (held: HeldWork) => {
    let objects = 0;
    while (!held.isOver()) {
      await held.renew();
      const deleted = await sweepSome();
      objects += deleted;
      if (deleted === 0) break;
    }
    if (objects > 0) logger.info({ objects }, 'Objects of the archive were deleted because their retention has ended');
    return held.isOver() ? clock.now() : (Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS;
  };

  const common = { clock, logger, retryMs: everyMs };
  const works = [
    createLeasedWork({
      ...common,
      everyMs,
      lease: lease('forecast-retention'),
      work: turn,
      failure: 'Deleting forecasts whose retention has ended failed; it is retried',
      // The process that has the turns shows for how long the oldest is overdue.
      elsewhere: () => metrics.set('parcelway_retention_overdue_seconds', {}, 0),
    }),
  ];
  if (sweepArchive !== undefined) {
    const failure = 'Deleting objects of the archive whose retention has ended failed; it is retried';
    works.push(createLeasedWork({ ...common, everyMs: DAY_MS, lease: lease('archive-retention'), work: sweep(sweepArchive), failure }));
  }
  return {
    start() {
      for (const work of works) work.start();
    },
    async stop() {
      stopped.abort();
      await Promise.all(works.map((work) => work.stop()));
    },
  };
}
