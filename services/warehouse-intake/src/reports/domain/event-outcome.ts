import type { WaitingReason } from '@parcelway/contracts/unclaimed-api';
import type { FieldError } from '@parcelway/kernel/app-error';
import type { Match, UnclaimedReason } from '../../expected/domain/match.ts';
import { unclaimedReasons } from '../../expected/domain/match.ts';

/** Why an event waits, as its warehouse is shown it: it may not know of a forecast that is meant for another warehouse. */
export function shownReason(reason: UnclaimedReason): WaitingReason {
  return reason === 'warehouse_mismatch' ? 'no_forecast' : reason;
}

/** The reasons that a warehouse is shown as this one; all of them when none is given. */
export function reasonsShownAs(shown: WaitingReason | undefined): readonly UnclaimedReason[] {
  return unclaimedReasons.filter((reason) => shown === undefined || shownReason(reason) === shown);
}

/** Numbers of the forecasts that a waiting event may be for, by a look at the directory as it is now. */
export function candidatesOf(match: Match): readonly string[] {
  return 'forecast' in match ? [match.forecast.forecastNo] : (match.candidates ?? []);
}

/** A rejected report, as far as it is remembered. */
export interface Rejection {
  /** Whose report it was. */
  readonly warehouseCode: string;
  readonly eventId: string;
  /** Null when the report does not say. */
  readonly type: string | null;
  /** ISO 8601; null when the report does not say. */
  readonly occurredAt: string | null;
  readonly code: string;
  readonly errors: readonly FieldError[];
}

/** At most so many faults of a rejected report are remembered. */
export const MAX_KEPT_ERRORS = 20;

/** Place in the list of what waits at a warehouse, oldest first: behind the event with these values. */
export interface WaitingPosition {
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  /** Letters, digits and `_`, as the store counts. */
  readonly id: string;
}
