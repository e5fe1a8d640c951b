import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import { type EncodedMessage, encodeEvent } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import { AppError } from '@parcelway/kernel/app-error';
import { isoInstant } from '@parcelway/kernel/clock';

/** How long data of a tenant is kept. Days are null where the time of the installation applies. */
export interface TenantRetentionRecord {
  readonly tenantId: string;
  /** Rises by 1 with each change and its event; 0 before the first. */
  readonly version: number;
  /** From the completion or cancellation of a forecast until it is deleted. */
  readonly forecastDays: number | null;
  /** The same of its PDFs and photos. */
  readonly fileDays: number | null;
}

/** What of a retention is to change; what is absent stays. */
export type RetentionWish = Partial<Pick<TenantRetentionRecord, 'forecastDays' | 'fileDays'>>;

/** A retention after a change, and the event that reports it; both are written together. */
export interface RetentionChange {
  readonly retention: TenantRetentionRecord;
  readonly message: EncodedMessage;
}

/** The retention of a tenant that has chosen none. */
export const unchosen = (tenantId: string): TenantRetentionRecord => ({ tenantId, version: 0, forecastDays: null, fileDays: null });

/**
 * A retention after a change; undefined when it stays as it is.
 * @param now epoch milliseconds
 * @throws AppError 42201 when files are to be kept for longer than their forecast
 */
export function retentionChanged(
  known: TenantRetentionRecord,
  wish: RetentionWish,
  { environment, now }: { readonly environment: Environment; readonly now: number },
): RetentionChange | undefined {
  const { forecastDays = known.forecastDays, fileDays = known.fileDays } = wish;
  if (forecastDays !== null && fileDays !== null && fileDays > forecastDays) {
    const message = `file_days must not exceed forecast_days, ${forecastDays}: files go with their forecast at the latest`;
    throw AppError.validation([{ field: 'file_days', rule: 'maximum', message }]);
  }
  if (forecastDays === known.forecastDays && fileDays === known.fileDays) return undefined;
  const { tenantId } = known;
  const version = known.version + 1;
  const event = createDomainEvent({
    type: 'tenant.retention-changed',
    publisher: 'gateway',
    tenantId,
    environment,
    subject: tenantId,
    time: now,
    data: { tenant_id: tenantId, version, forecast_days: forecastDays, file_days: fileDays, changed_at: isoInstant(now) },
  });
  return { retention: { tenantId, version, forecastDays, fileDays }, message: encodeEvent(event) };
}
