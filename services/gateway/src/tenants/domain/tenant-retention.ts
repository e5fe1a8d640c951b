import { AppError } from '@parcelway/kernel/app-error';

/** How long data of a tenant is kept. Days are null where the time of the installation applies. */
export interface Retention {
  /** Rises by 1 with each change and its event; 0 before the first. */
  readonly version: number;
  /** From the completion or cancellation of a forecast until it is deleted. */
  readonly forecastDays: number | null;
  /** The same of its PDFs and photos. */
  readonly fileDays: number | null;
}

/** What of a retention is to change; what is absent stays. */
export type RetentionWish = Partial<Pick<Retention, 'forecastDays' | 'fileDays'>>;

/** The retention of a tenant that has chosen none. */
export const UNCHOSEN: Retention = { version: 0, forecastDays: null, fileDays: null };

/**
 * A retention after a change; undefined when it stays as it is.
 * @throws AppError 42201 when files are to be kept for longer than their forecast
 */
export function retentionChanged(known: Retention, wish: RetentionWish): Retention | undefined {
  const { forecastDays = known.forecastDays, fileDays = known.fileDays } = wish;
  if (forecastDays !== null && fileDays !== null && fileDays > forecastDays) {
    const message = `file_days must not exceed forecast_days, ${forecastDays}: files go with their forecast at the latest`;
    throw AppError.validation([{ field: 'file_days', rule: 'maximum', message }]);
  }
  if (forecastDays === known.forecastDays && fileDays === known.fileDays) return undefined;
  return { version: known.version + 1, forecastDays, fileDays };
}
