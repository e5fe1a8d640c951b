import type { ScannedNumber } from './directory.ts';
import type { IntakeEvent } from './event.ts';
import type { UnclaimedReason } from './match.ts';

/** A number that is on the parcel of a forecast, at the warehouse that has the parcel. */
export interface NamedNumber extends ScannedNumber {
  readonly forecastNo: string;
}

/** A {@link NamedNumber} of which an event has named the forecast. */
export interface NamingEvent extends NamedNumber {
  /** Of the event. Rises from one event of a call to the next. */
  readonly id: string;
  /** Epoch milliseconds at which the event was received: the same for all events of a call. */
  readonly receivedAt: number;
  /** Epoch milliseconds at which it was published: when it was received, unless it had waited. */
  readonly publishedAt: number;
}

export interface AmbiguousEvent {
  readonly event: IntakeEvent;
  readonly waiting: UnclaimedReason | undefined;
  /** As of a {@link NamingEvent}. */
  readonly id: string;
  readonly receivedAt: number;
}

/**
 * The clocks of two replicas differ by less. An event that was received at most so much later may have waited already; in doubt it did: one that is
 * passed over by mistake waits until somebody claims it.
 */
export const MAX_CLOCK_DIFFERENCE_MS = 1000;

/** False when the event is behind the naming one in its call, or came long after it, as when a crash has delayed what the naming event releases. */
function hasWaitedFor(naming: NamingEvent, { id, receivedAt }: AmbiguousEvent): boolean {
  const isOfCall = receivedAt === naming.receivedAt && naming.publishedAt === naming.receivedAt;
  return isOfCall ? id < naming.id : receivedAt < naming.publishedAt + MAX_CLOCK_DIFFERENCE_MS;
}

/**
 * Number of the forecast that an ambiguous event belongs to because a later event names the forecast and the same scanned number; undefined when
 * none does. An event that comes after the naming one is matched by the directory: it may be on another parcel with this number.
 * @param naming events, one for each number
 */
export function namedForecastOf(ambiguous: AmbiguousEvent, naming: readonly NamingEvent[]): string | undefined {
  const { event, waiting } = ambiguous;
  if (waiting !== 'ambiguous' || event.forecastNo !== null) return undefined;
  const scanned = event.scannedNumber;
  const named = naming.find(({ warehouseCode, number }) => warehouseCode === event.warehouseCode && number === scanned);
  return named !== undefined && hasWaitedFor(named, ambiguous) ? named.forecastNo : undefined;
}

/**
 * True of an event that is behind the naming one in its call: it has been matched with what the naming event changed.
 * @param naming events, one for each number
 * @param call ids of the events of the call; undefined when a crash has cut it short: then of what was received at the same moment
 */
export function isBehindInCall(waiting: AmbiguousEvent, naming: readonly NamingEvent[], call: ReadonlySet<string> | undefined): boolean {
  const { warehouseCode, scannedNumber } = waiting.event;
  const named = naming.find((one) => one.warehouseCode === warehouseCode && one.number === scannedNumber);
  if (named === undefined || hasWaitedFor(named, waiting)) return false;
  return call?.has(waiting.id) ?? waiting.receivedAt === named.receivedAt;
}
