import { ReportOwner, ReportTime } from '@parcelway/contracts/unclaimed-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { type RejectedEvent, warehouseEventTypes } from '@parcelway/contracts/warehouse-api';
import { MAX_KEPT_ERRORS, type Rejection } from './event-outcome.ts';

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
