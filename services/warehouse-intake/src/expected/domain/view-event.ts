import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventType } from '@parcelway/contracts/domain-events';
import type { SsccOf } from '@parcelway/contracts/sscc';
import type { ForecastChange } from '@parcelway/contracts/warehouse-change';
import { cancelled, dispatched, held, progressed, type ViewForecast, withContent } from './forecast-copy.ts';

/** Types of the events that the view follows. */
export const viewEventTypes = [
  'forecast.accepted',
  'forecast.corrected',
  'forecast.cancelled',
  'forecast.dispatched',
  'parcel.arrived',
  'parcel.weighed',
  'parcel.photographed',
  'parcel.processed',
  'parcel.put_away',
  'parcel.completed',
  'parcel.exception',
  'parcel.held',
  'parcel.released',
] as const satisfies readonly DomainEventType[];

/** An event that the view follows. */
export type ViewEvent = { readonly [T in (typeof viewEventTypes)[number]]: DomainEvent<T> }[(typeof viewEventTypes)[number]];

/** The forecast after an event; the same object when the event changes nothing. */
export function afterEvent(before: ViewForecast | undefined, event: ViewEvent, ssccOf: SsccOf): ViewForecast {
  switch (event.type) {
    case 'forecast.accepted':
    case 'forecast.corrected':
      return withContent(before, event, ssccOf);
    case 'forecast.cancelled':
      return cancelled(before, event);
    case 'forecast.dispatched':
      return dispatched(before, event);
    case 'parcel.held':
    case 'parcel.released':
      return held(before, event);
    default:
      return progressed(before, event);
  }
}

/** The change that systems outside the platform are notified of. */
export function changeNameOf({ type }: ViewEvent): ForecastChange {
  switch (type) {
    case 'forecast.accepted':
      return 'accepted';
    case 'forecast.corrected':
      return 'corrected';
    case 'forecast.cancelled':
      return 'cancelled';
    case 'parcel.held':
      return 'held';
    case 'parcel.released':
      return 'released';
    default:
      return 'status';
  }
}
