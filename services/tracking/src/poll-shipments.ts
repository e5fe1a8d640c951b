import { isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { toAppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { nextPollDelay, type PollSchedule, retryDelay } from './domain/schedule.ts';
import type { DueShipment, PollQueue } from './ports.ts';
import type { RefreshShipment } from './refresh-shipment.ts';

/** What the schedule needs. */
export interface PollerDeps {
  readonly queue: PollQueue;
  readonly refresh: RefreshShipment;
  readonly schedule: PollSchedule;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly telemetry: ServiceTelemetry;
  /** 0 to 1, spreads the polls. */
  readonly random: () => number;
  /** Shipments polled at the same time; default 32. */
  readonly concurrency?: number;
}

/** Asks carriers on a schedule of its own. */
export interface Poller {
  start(): void;
  /** Says that something may be due now. */
  wake(): void;
  /** Takes no more shipments and waits for those being polled. */
  stop(): Promise<void>;
}

/** Well over the deadline of a carrier: who holds a lease for longer is gone. */
const LEASE_MS = 60_000;
const TICK_MS = 1000;

/**
 * Polls one leased shipment and gives it back with its next time. A poll begins a trace: what it finds follows from it.
 * @throws AppError 50301 when the store is out; the lease then ends by itself
 */
export async function pollShipment(deps: PollerDeps, shipment: DueShipment): Promise<void> {
  const { metrics, tracer } = deps.telemetry;
  metrics.observe('parcelway_tracking_poll_delay_seconds', {}, Math.max(0, deps.clock.now() - shipment.dueAt) / 1000);
  const attributes = { 'parcelway.forecast_no': shipment.forecastNo };
  const span = tracer.start('poll shipment', { kind: 'internal', attributes });
  try {
    const failure = await pollInTrace(deps, shipment, span.traceparent);
    span.end({ error: failure });
  } catch (error) {
    span.end({ error: toAppError(error).code });
    throw error;
  }
}

/** @returns code of the error for which it could not be polled; undefined when it was */
async function pollInTrace(deps: PollerDeps, shipment: DueShipment, traceparent: string): Promise<string | undefined> {
  const { queue, refresh, schedule, clock, logger, random } = deps;
  const at = (delay: number | null): number | null => (delay === null ? null : clock.now() + delay);
  const age = (): number => clock.now() - shipment.watchedSince;
  try {
    const isOver = isTerminalAdminStatus(await refresh(shipment, traceparent));
    await queue.reschedule(shipment, isOver ? null : at(nextPollDelay(schedule, age(), random())), 0);
    return undefined;
  } catch (error) {
    const { code } = toAppError(error);
    if (code === '50301') throw error;
    const failures = shipment.failures + 1;
    const fields = { forecast_no: shipment.forecastNo, carrier_code: shipment.carrierCode, failures };
    if (code === '50001') logger.debug(fields, 'The carrier did not answer a poll');
    else logger.error({ ...fields, err: error }, 'A poll failed for no known reason');
    await queue.reschedule(shipment, at(retryDelay(schedule, age(), failures, random())), failures);
    return code;
  }
}

/** Makes the poller: takes what is due as places are free, at each wake and every second. */
export function createPoller(deps: PollerDeps): Poller {
  const { queue, clock, logger, concurrency = 32 } = deps;
  const running = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let taking: Promise<void> | undefined;
  let again = false;
  let stopped = true;

  const poll = (shipment: DueShipment): void => {
    const work = pollShipment(deps, shipment)
      .catch((error: unknown) => logger.warn({ err: error, forecast_no: shipment.forecastNo }, 'A poll failed; it will be repeated'))
      .finally(() => {
        running.delete(work);
        wake();
      });
    running.add(work);
  };

  const take = async (): Promise<void> => {
    do {
      again = false;
      const free = concurrency - running.size;
      if (free <= 0) return;
      const due = await queue.lease(clock.now(), LEASE_MS, free);
      for (const shipment of due) poll(shipment);
    } while (again && !stopped);
  };

  function wake(): void {
    again = true;
    if (stopped || taking) return;
    taking = take()
      .catch((error: unknown) => logger.warn({ err: error }, 'Looking for due shipments failed; it will be tried again'))
      .finally(() => {
        taking = undefined;
      });
  }

  return {
    start() {
      stopped = false;
      timer = setInterval(wake, TICK_MS).unref();
      wake();
    },
    wake,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await taking;
      await Promise.all(running);
    },
  };
}
