import type { EventHandlers } from '@parcelway/bus/bus';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { Clock } from '@parcelway/kernel/clock';
import type { ParcelFact } from '../domain/facts.ts';
import type { KnownForecast } from '../domain/shipment.ts';
import type { RecordFacts } from '../record-facts.ts';

/** Consumer group of the service. */
export const GROUP = 'tracking';

/** What the handlers need. */
export interface EventHandlersOptions {
  readonly record: RecordFacts;
  readonly clock: Clock;
  /** Called when a shipment is due. */
  readonly wake: () => void;
}

type Followed = 'forecast.accepted' | 'forecast.cancelled' | 'forecast.dispatched';

function forecastOf(event: DomainEvent<Followed>): KnownForecast {
  return { tenantId: event.tenantid, forecastNo: event.data.forecast_no, poNumber: event.data.po_number };
}

function dispatchedFact(event: DomainEvent<'forecast.dispatched'>, at: number): ParcelFact {
  const { carrier_code: carrierCode, tracking_number: trackingNumber } = event.data;
  // The time of the event orders the dispatches of a forecast; its id orders two of one millisecond.
  return { type: 'dispatched', ...forecastOf(event), carrierCode, trackingNumber, sequence: `${event.time}/${event.id}`, at };
}

/** Follows the forecasts. */
export function createEventHandlers({ record, clock, wake }: EventHandlersOptions): EventHandlers {
  return {
    async 'forecast.accepted'(event) {
      const { forecast_id: forecastId, accepted_at: acceptedAt } = event.data;
      await record([{ type: 'accepted', ...forecastOf(event), forecastId, acceptedAt: Date.parse(acceptedAt) }]);
    },
    async 'forecast.cancelled'(event) {
      await record([{ type: 'cancelled', ...forecastOf(event), at: Date.parse(event.data.cancelled_at) }]);
    },
    async 'forecast.dispatched'(event) {
      await record([dispatchedFact(event, clock.now())]);
      wake();
    },
  };
}
