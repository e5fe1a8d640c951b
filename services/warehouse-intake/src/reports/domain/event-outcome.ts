import { ReportOwner, ReportTime, type WaitingReason } from '@parcelway/contracts/unclaimed-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { type RejectedEvent, warehouseEventTypes } from '@parcelway/contracts/warehouse-api';
import type { FieldError } from '@parcelway/kernel/app-error';
import { type Match, type UnclaimedReason, unclaimedReasons } from '../../expected/domain/match.ts';

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

/** Rejected reports are remembered this long. */
export const REJECTIONS_KEPT_MS = 7 * 86_400_000;

/** Of a warehouse the newest rejected reports are remembered, so many. */
export const MAX_REJECTIONS = 10_000;

const owned = compileValidator(ReportOwner);
const dated = compileValidator(ReportTime);

/**
 * What is remembered of a rejected report: of one whose event_id could be read as it was sent, and that is of a warehouse.
 * @param reporter the warehouse that reports; null when the channel is trusted to name it
 * @param report as parsed from JSON
 */
export function rememberedRejection(
  reporter: string | null,
  report: unknown,
  { event_id: eventId, code, errors }: RejectedEvent,
): Rejection | undefined {
  if (eventId === null || eventId === '') return undefined;
  const { event_id: sent, type, warehouse_code: named, occurred_at: occurredAt } = report as Readonly<Record<string, unknown>>;
  const owner = reporter ?? (owned.errors({ warehouse_code: named }).length === 0 ? String(named) : undefined);
  if (sent !== eventId || owner === undefined) return undefined;
  return {
    warehouseCode: owner,
    eventId,
    type: (warehouseEventTypes as readonly unknown[]).includes(type) ? String(type) : null,
    occurredAt: dated.errors({ occurred_at: occurredAt }).length === 0 ? String(occurredAt) : null,
    code,
    errors: errors.slice(0, MAX_KEPT_ERRORS),
  };
}
