import { toAppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { leaseEnd, nextPollDelay, type PollSchedule, retryDelay } from './domain/schedule.ts';
import type { Shipment } from './domain/shipment.ts';
import { NotNow, type Sources } from './domain/sources.ts';
import type { RefreshShipment } from './refresh-shipment.ts';
import type { RecordFacts, TrackingStore } from './tracking-store.ts';

export interface PollerOptions {
  readonly queue: Pick<TrackingStore, 'lease'>;
  readonly record: RecordFacts;
  readonly refresh: RefreshShipment;
  readonly release: Sources['release'];
  readonly schedule: PollSchedule;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: ServiceTelemetry;
  /** 0 to 1, spreads the polls. */
  readonly random: () => number;
  /** Shipments polled at the same time; default 256: a few calls that take many numbers each. */
  readonly concurrency?: number;
}

const TICK_MS = 1000;
/** Parcels that wait for a limit are spread over a tenth of the wait, and over at least and at most so long. */
const MIN_SPREAD_MS = 10_000;
const MAX_SPREAD_MS = 900_000;

/**
 * Polls one leased shipment and reschedules it. A poll begins a trace, to which the events that it causes belong.
 * @throws AppError 50301 when the store is out; the lease then runs out
 */
export async function pollShipment(options: PollerOptions, shipment: Shipment): Promise<void> {
  const { metrics, tracer } = options.telemetry;
  const now = options.clock.now();
  metrics.observe('parcelway_tracking_poll_delay_seconds', {}, Math.max(0, now - (shipment.nextPollAt ?? now)) / 1000);
  const attributes = { 'parcelway.forecast_no': shipment.forecastNo };
  const span = tracer.start('poll shipment', { kind: 'internal', attributes });
  try {
    const failure = await pollInTrace(options, shipment, span.traceparent);
    span.end({ error: failure });
  } catch (error) {
    span.end({ error: toAppError(error).code });
    throw error;
  }
}

/** @returns code of the error that made the poll fail; undefined when it succeeded */
async function pollInTrace(options: PollerOptions, shipment: Shipment, traceparent: string): Promise<string | undefined> {
  const { record, refresh, release, schedule, clock, random } = options;
  const end = (delay: number | null, failures = 0) => {
    const now = clock.now();
    return { type: 'rescheduled', shipment, nextPollAt: delay === null ? null : now + delay, failures, now } as const;
  };
  let failure: string | undefined;
  let endsWatch: boolean;
  try {
    const age = (): number => clock.now() - shipment.watchedSince;
    endsWatch = await refresh(shipment, 'poll', traceparent, () => end(nextPollDelay(schedule, age(), random())));
  } catch (error) {
    failure = error instanceof NotNow ? undefined : toAppError(error).code;
    if (failure === '50301') throw error;
    const fact =
      error instanceof NotNow
        ? end(waitDelay(options, shipment, error), shipment.failures)
        : end(...afterFailure(options, shipment, error));
    const [outcome] = await record([fact]);
    endsWatch = outcome?.endsWatch === true;
  }
  if (endsWatch) await release(shipment);
  return failure;
}

/** Milliseconds until the next poll after one that failed, and how many have in a row. */
function afterFailure({ schedule, clock, logger, random }: PollerOptions, shipment: Shipment, error: unknown): [number | null, number] {
  const failures = shipment.failures + 1;
  const fields = { forecast_no: shipment.forecastNo, carrier_code: shipment.carrierCode, failures };
  if (toAppError(error).code === '50001') logger.debug(fields, 'The carrier did not respond to a poll');
  else logger.error({ ...fields, err: error }, 'A poll failed for an unknown reason');
  return [retryDelay(schedule, clock.now() - shipment.watchedSince, failures, random()), failures];
}

/** Milliseconds until a poll that waits for its turn: it has not failed. One that would wait beyond the end of the schedule ends the watch as any other. */
function waitDelay({ schedule, clock, random }: PollerOptions, shipment: Shipment, { until }: NotNow): number | null {
  if (nextPollDelay(schedule, until - shipment.watchedSince, random()) === null) return null;
  const waitMs = until - clock.now();
  // Parcels that wait for the same time do not come back together.
  const spreadMs = Math.min(MAX_SPREAD_MS, Math.max(MIN_SPREAD_MS, waitMs / 10)) * random();
  return Math.max(waitMs, 1000) + Math.round(spreadMs);
}

/** Makes the poller: takes what is due as places are free, at each wake and every second. */
export function createPoller(options: PollerOptions) {
  const { queue, clock, logger, concurrency = 256 } = options;
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let taking: Promise<void> | undefined;
  let again = false;
  let stopped = true;

  const poll = (shipment: Shipment): void => {
    const work = pollShipment(options, shipment)
      .catch((error: unknown) =>
        logger.warn({ err: error, forecast_no: shipment.forecastNo }, 'A poll failed; it is repeated when its lease ends'),
      )
      .finally(() => {
        running.delete(work);
        wake();
      });
    running.add(work);
  };

  const take = async (): Promise<void> => {
    do {
      // Polls of one call end together: their places are taken together.
      await new Promise((resolve) => setImmediate(resolve));
      again = false;
      if (stopped) return;
      const free = concurrency - running.size;
      if (free <= 0) return;
      const now = clock.now();
      const due = await queue.lease(now, leaseEnd(now), free);
      for (const shipment of due) poll(shipment);
    } while (again && !stopped);
  };

  function wake(): void {
    again = true;
    if (stopped || taking) return;
    taking = take()
      .catch((error: unknown) => logger.warn({ err: error }, 'Looking for due shipments failed; it is retried'))
      .finally(() => {
        taking = undefined;
      });
  }

  return {
    start(): void {
      stopped = false;
      timer = setInterval(wake, TICK_MS).unref();
      wake();
    },
    /** Call it when something may be due now. */
    wake,
    /** Takes no more shipments and waits for those being polled. */
    async stop(): Promise<void> {
      stopped = true;
      clearInterval(timer);
      await taking;
      await Promise.all(running);
    },
  };
}
