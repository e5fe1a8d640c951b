import type { EventHandlers } from '@parcelway/bus/bus';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { Clock } from '@parcelway/kernel/clock';
import type { KnownForecast } from '../domain/shipment.ts';
import type { ForecastDirectory } from '../ports.ts';

/** Consumer group of the service. */
export const GROUP = 'tracking';

/** What the handlers need. */
export interface EventHandlersDeps {
  readonly directory: ForecastDirectory;
  readonly clock: Clock;
  /** Says that a shipment is due. */
  readonly wake: () => void;
}

type Followed = 'forecast.accepted' | 'forecast.cancelled' | 'forecast.dispatched';

function forecastOf(event: DomainEvent<Followed>): KnownForecast {
  return { tenantId: event.tenantid, forecastNo: event.data.forecast_no, poNumber: event.data.po_number };
}

/** Follows the forecasts. Every effect is idempotent in the store, whatever the order. */
export function createEventHandlers({ directory, clock, wake }: EventHandlersDeps): EventHandlers {
  return {
    async 'forecast.accepted'(event) {
      const { forecast_id: forecastId, accepted_at: acceptedAt } = event.data;
      await directory.accept({ ...forecastOf(event), forecastId, acceptedAt: Date.parse(acceptedAt) });
    },
    async 'forecast.cancelled'(event) {
      await directory.cancel(forecastOf(event), Date.parse(event.data.cancelled_at));
    },
    async 'forecast.dispatched'(event) {
      const { carrier_code: carrierCode, tracking_number: trackingNumber } = event.data;
      // The time of the event orders the dispatches of a forecast; its id settles two of one millisecond.
      const sequence = `${event.time}/${event.id}`;
      await directory.dispatch({ ...forecastOf(event), carrierCode, trackingNumber, sequence, at: clock.now() });
      wake();
    },
  };
}
