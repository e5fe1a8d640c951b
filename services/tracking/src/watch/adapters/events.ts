import type { EventBatchHandler, EventOf } from '@parcelway/bus/bus';
import type { Clock } from '@parcelway/kernel/clock';
import type { ParcelFact } from '../domain/facts.ts';
import type { ForecastName } from '../retention.ts';
import type { RecordFacts } from '../tracking-store.ts';

/** Consumer group of the service. */
export const GROUP = 'tracking';

/** The events that the service follows. */
export const FOLLOWED = ['forecast.accepted', 'forecast.cancelled', 'forecast.dispatched', 'forecast.expired'] as const;

type Followed = (typeof FOLLOWED)[number];
type Expired = EventOf<'forecast.expired'>;

export interface EventHandlerOptions {
  readonly record: RecordFacts;
  readonly clock: Clock;
  readonly wake: () => void;
  /** Ends the keeping of what is known of forecasts. */
  readonly expire: (forecasts: readonly ForecastName[]) => Promise<void>;
}

/** @param now epoch milliseconds, when the watch of a dispatched parcel begins */
function factOf(event: EventOf<Exclude<Followed, 'forecast.expired'>>, now: number): ParcelFact {
  const forecast = { tenantId: event.tenantid, forecastNo: event.data.forecast_no, poNumber: event.data.po_number };
  if (event.type === 'forecast.accepted') {
    const { forecast_id: forecastId, accepted_at: acceptedAt } = event.data;
    return { type: 'accepted', ...forecast, forecastId, acceptedAt: Date.parse(acceptedAt) };
  }
  if (event.type === 'forecast.cancelled') return { type: 'cancelled', ...forecast, at: Date.parse(event.data.cancelled_at) };
  const { carrier_code: carrierCode, tracking_number: trackingNumber, dispatched_at, sealed_details: sealedDetails } = event.data;
  // The time of the event orders the dispatches of a forecast; its id orders two of one millisecond.
  return {
    type: 'dispatched',
    ...forecast,
    carrierCode,
    trackingNumber,
    sequence: `${event.time}/${event.id}`,
    at: now,
    dispatchedAt: Date.parse(dispatched_at),
    sealedDetails,
  };
}

/** Follows the forecasts: records the events of a batch together. */
export function createEventHandler({ record, clock, wake, expire }: EventHandlerOptions): EventBatchHandler<Followed> {
  return async (events) => {
    const now = clock.now();
    const expired = events.filter((event): event is Expired => event.type === 'forecast.expired');
    const facts = events.flatMap((event) => (event.type === 'forecast.expired' ? [] : factOf(event, now)));
    // The log has them until they are on the disk.
    if (facts.length > 0) await record(facts, { flushLater: true });
    // Behind the others: nothing of a forecast follows its end.
    if (expired.length > 0) await expire(expired.map(({ tenantid: tenantId, data }) => ({ tenantId, forecastNo: data.forecast_no })));
    if (events.some(({ type }) => type === 'forecast.dispatched')) wake();
  };
}
