import type { EventBatchHandler, EventOf } from '@parcelway/bus/bus';
import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { Clock } from '@parcelway/kernel/clock';
import type { ParcelFact } from '../domain/facts.ts';
import type { ForecastName } from '../retention.ts';
import type { RecordFacts } from '../tracking-store.ts';

/** Consumer group of the service. */
export const GROUP = 'tracking';

/** The events that the service follows. */
export const FOLLOWED = ['forecast.dispatched', 'forecast.expired'] as const;

type Followed = (typeof FOLLOWED)[number];

export interface EventHandlerOptions {
  readonly record: RecordFacts;
  readonly clock: Clock;
  readonly wake: () => void;
  /** Ends the keeping of what is known of forecasts. */
  readonly expire: (forecasts: readonly ForecastName[]) => Promise<void>;
}

/** @param now epoch milliseconds, when the watch of a dispatched parcel begins */
function dispatchOf({ tenantid: tenantId, data, time, id }: EventOf<'forecast.dispatched'>, now: number): ParcelFact {
  const { forecast_no: forecastNo, po_number: poNumber, carrier_code: carrierCode, tracking_number: trackingNumber } = data;
  // The time of the event orders the dispatches of a forecast; its id orders two of one millisecond.
  return {
    type: 'dispatched',
    tenantId,
    forecastNo,
    poNumber,
    isCancelled: data.status === forecastStatuses.CANCELLED,
    carrierCode,
    trackingNumber,
    sequence: `${time}/${id}`,
    at: now,
    dispatchedAt: Date.parse(data.dispatched_at),
    sealedDetails: data.sealed_details,
  };
}

/** Follows the dispatches of forecasts: records the events of a batch together. */
export function createEventHandler({ record, clock, wake, expire }: EventHandlerOptions): EventBatchHandler<Followed> {
  return async (events) => {
    const now = clock.now();
    const dispatches = events.flatMap((event) => (event.type === 'forecast.dispatched' ? dispatchOf(event, now) : []));
    const expired = events.filter(({ type }) => type === 'forecast.expired');
    // The log has them until they are on the disk.
    if (dispatches.length > 0) await record(dispatches, { flushLater: true });
    // Behind the others: nothing of a forecast follows its end.
    if (expired.length > 0) await expire(expired.map(({ tenantid: tenantId, data }) => ({ tenantId, forecastNo: data.forecast_no })));
    if (dispatches.length > 0) wake();
  };
}
