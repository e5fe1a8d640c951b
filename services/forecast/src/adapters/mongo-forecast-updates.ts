import { withOutbox } from '@parcelway/mongo/mongo-outbox';
import type { ForecastRecord } from '../domain/forecast.ts';
import { holdsPoNumber, holdsTrackingNumbers } from '../domain/status.ts';
import type { Cause, CorrectionDecision, Decision } from '../ports.ts';

/**
 * The ids of so many events are remembered of a forecast, the latest. Far above what happens to any parcel, and it
 * keeps a warehouse that reports without end from filling the document.
 */
const MAX_APPLIED = 5000;

/** The one update that writes a decision with all that follows from it. */
export function updateOf(before: ForecastRecord, decision: Decision, cause: Cause | null, now: number): object {
  const { status, progress, updatedAt, messages, receivedItems } = decision;
  const applied = cause && { $each: [{ id: cause.eventId, type: cause.type, at: updatedAt }], $slice: -MAX_APPLIED };
  const releases = holdsPoNumber(before.status) && !holdsPoNumber(status);
  const update = {
    $set: { status, progress, updated_at: updatedAt, ...(receivedItems && { received_items: JSON.stringify(receivedItems) }) },
    $inc: { version: 1 },
    ...(applied && { $push: { applied } }),
    ...(!holdsTrackingNumbers(status, before.forecastType) && { $unset: { claims: '' } }),
    // The database's clock, the same for all who write: cancelled forecasts of one po_number stay in their order.
    ...(releases && { $currentDate: { held_until: true } }),
  };
  return withOutbox(update, messages, now);
}

/** The one update that writes a correction. */
export function correctionUpdateOf(decision: CorrectionDecision, now: number): object {
  const { claims } = decision;
  const hasNone = claims !== null && claims.length === 0;
  const update = {
    $set: {
      content: decision.content,
      content_hash: decision.contentHash,
      content_version: decision.contentVersion,
      corrections: decision.corrections,
      warehouse_code: decision.warehouseCode,
      due_date: decision.dueDate,
      item_count: decision.itemCount,
      updated_at: decision.updatedAt,
      ...(claims !== null && !hasNone && { claims }),
    },
    ...(hasNone && { $unset: { claims: '' } }),
    $inc: { version: 1 },
  };
  return withOutbox(update, decision.messages, now);
}

/** Projection of those claims that are among the numbers. As a literal, because a number may begin with a dollar sign. */
export function claimsAmong(numbers: readonly string[]): object {
  return { claims: { $setIntersection: ['$claims', { $literal: numbers }] } };
}
