import { toAppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { leaseEnd, nextPollDelay, type PollSchedule, retryDelay } from './domain/schedule.ts';
import { NotNow, type Sources } from './domain/sources.ts';
import type { RefreshShipment } from './refresh-shipment.ts';
import type { DueShipment, RecordFacts, TrackingStore } from './tracking-store.ts';

/** What the schedule needs. */
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
export async function pollShipment(options: PollerOptions, shipment: DueShipment): Promise<void> {
  const { metrics, tracer } = options.telemetry;
  metrics.observe('parcelway_tracking_poll_delay_seconds', {}, Math.max(0, options.clock.now() - shipment.dueAt) / 1000);
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
async function pollInTrace(options: PollerOptions, shipment: DueShipment, traceparent: string): Promise<string | undefined> {
  const { record, refresh, schedule, clock, logger, random } = options;
  const at = (delay: number | null): number | null => (delay === null ? null : clock.now() + delay);
  const age = (): number => clock.now() - shipment.watchedSince;
  try {
    const endsWatch = await refresh(shipment, 'poll', traceparent, () => {
      const nextPollAt = at(nextPollDelay(schedule, age(), random()));
      return { type: 'rescheduled', shipment, nextPollAt, failures: 0, now: clock.now() };
    });
    if (endsWatch) await options.release(shipment);
    return undefined;
  } catch (error) {
    if (error instanceof NotNow) return await wait(options, shipment, error);
    const { code } = toAppError(error);
    if (code === '50301') throw error;
    const failures = shipment.failures + 1;
    const fields = { forecast_no: shipment.forecastNo, carrier_code: shipment.carrierCode, failures };
    if (code === '50001') logger.debug(fields, 'The carrier did not respond to a poll');
    else logger.error({ ...fields, err: error }, 'A poll failed for an unknown reason');
    const nextPollAt = at(retryDelay(schedule, age(), failures, random()));
    const [outcome] = await record([{ type: 'rescheduled', shipment, nextPollAt, failures, now: clock.now() }]);
    if (outcome?.endsWatch) await options.release(shipment);
    return code;
  }
}

/** A poll that waits for its turn has not failed. One that would wait beyond the end of the schedule ends the watch as any other. */
async function wait(
  { record, release, schedule, clock, random }: PollerOptions,
  shipment: DueShipment,
  { until }: NotNow,
): Promise<undefined> {
  const now = clock.now();
  const isTooOld = nextPollDelay(schedule, until - shipment.watchedSince, random()) === null;
  // Parcels that wait for the same time do not come back together.
  const spreadMs = Math.min(MAX_SPREAD_MS, Math.max(MIN_SPREAD_MS, (until - now) / 10)) * random();
  const nextPollAt = isTooOld ? null : Math.max(until, now + 1000) + Math.round(spreadMs);
  const [outcome] = await record([{ type: 'rescheduled', shipment, nextPollAt, failures: shipment.failures, now }]);
  if (outcome?.endsWatch) await release(shipment);
  return undefined;
}

/** Makes the poller: takes what is due as places are free, at each wake and every second. */
export function createPoller(options: PollerOptions) {
  const { queue, clock, logger, concurrency = 256 } = options;
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let taking: Promise<void> | undefined;
  let again = false;
  let stopped = true;

  const poll = (shipment: DueShipment): void => {
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
