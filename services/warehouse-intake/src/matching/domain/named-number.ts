import type { ScannedNumber } from './directory.ts';
import { type IntakeEvent, scannedNumberOf } from './event.ts';
import type { UnclaimedReason } from './match.ts';

/** A number that is on the parcel of a forecast, at the warehouse that has the parcel. */
export interface NamedNumber extends ScannedNumber {
  readonly forecastNo: string;
}

/** Place of an event among those of its warehouse. */
export interface EventPlace {
  /** Epoch milliseconds: when a waiting event was received, when another was published. */
  readonly at: number;
  /** Of the event. Rises from one event to the next. */
  readonly id: string;
}

/** A {@link NamedNumber} of which an event has named the forecast. */
export interface NamingEvent extends NamedNumber {
  readonly place: EventPlace;
}

/** An event that waits. */
export interface AmbiguousEvent {
  readonly event: IntakeEvent;
  readonly waiting: UnclaimedReason | undefined;
  readonly place: EventPlace;
}

function isBefore(one: EventPlace, other: EventPlace): boolean {
  return one.at === other.at ? one.id < other.id : one.at < other.at;
}

/**
 * Number of the forecast that an ambiguous event belongs to because an event after it names the forecast and the same scanned number; undefined when
 * none does. An event that comes after the naming one is matched by the directory: it may be on another parcel with this number.
 * @param naming in the order of their publication
 */
export function namedForecastOf({ event, waiting, place }: AmbiguousEvent, naming: readonly NamingEvent[]): string | undefined {
  if (waiting !== 'ambiguous' || event.forecastNo !== null) return undefined;
  const scanned = scannedNumberOf(event);
  return naming.find((one) => one.warehouseCode === event.warehouseCode && one.number === scanned && isBefore(place, one.place))
    ?.forecastNo;
}
