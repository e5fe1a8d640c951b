import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { WholeForecast } from '../store/domain/known-forecast.ts';
import type { TenantRetention } from './domain/retention.ts';

export interface TenantRetentions {
  /** Undefined when the tenant has chosen nothing. */
  find(tenantId: string): Promise<TenantRetention | undefined>;
  /** Keeps what is newer than what is known; does nothing otherwise. */
  record(retention: TenantRetention): Promise<void>;
}

export interface ForecastName {
  readonly tenantId: string;
  readonly forecastNo: string;
}

export interface EndedForecast extends ForecastName {
  readonly itemCount: number;
  /** The last change, epoch milliseconds. */
  readonly endedAt: number;
  /** In the order in which the forecasts of the tenant have ended. */
  readonly place: string;
  /** Rises with each write. */
  readonly version: number;
}

/** A forecast whose time is over, and the message that says it. */
export interface ExpiredForecast {
  readonly forecast: EndedForecast;
  readonly message: EncodedMessage;
}

/** Ends the keeping of forecasts. Any number of processes may do so side by side. */
export interface ForecastExpiry {
  /**
   * The next tenant with ended forecasts, in the order of ids, and when the oldest of these ended.
   * @throws AppError 50301
   */
  nextTenant(after: string): Promise<{ readonly tenantId: string; readonly endedAt: number } | undefined>;
  /**
   * Forecasts of a tenant that have ended before an instant, oldest first.
   * @param after the place of the one before; undefined begins
   * @throws AppError 50301
   */
  ended(tenantId: string, before: number, after: string | undefined, limit: number): Promise<readonly EndedForecast[]>;
  /**
   * Deletes forecasts with all that belongs to them, and writes their messages in the same durable step. What has changed since, or has other messages to
   * publish, stays, and its message is not written.
   * @param expired of the tenant
   * @returns those that were deleted
   * @throws AppError 50301
   */
  expire(tenantId: string, expired: readonly ExpiredForecast[]): Promise<readonly EndedForecast[]>;
  /** Up to where the files of a tenant's forecasts have expired. @throws AppError 50301 */
  filesExpiredTo(tenantId: string): Promise<string | undefined>;
  /**
   * Notes that the files of forecasts have expired, with the messages that say it, in one durable step.
   * @param skipped numbers of forecasts before the place whose files could not be ended
   * @throws AppError 50301
   */
  expireFiles(tenantId: string, place: string, messages: readonly EncodedMessage[], skipped?: readonly string[]): Promise<void>;
  /** Numbers of a tenant's forecasts before {@link filesExpiredTo} whose files could not be ended. @throws AppError 50301 */
  filesSkipped(tenantId: string): Promise<readonly string[]>;
  /** Takes a forecast off those that were skipped, with the message that its files have expired, in one durable step. @throws AppError 50301 */
  settleFiles(tenantId: string, forecastNo: string, messages: readonly EncodedMessage[]): Promise<void>;
}

/** Writes forecasts to the archive before they are deleted; resolves once they are durable there. @throws AppError 50301 */
export type ArchiveForecasts = (tenantId: string, forecasts: readonly WholeForecast[]) => Promise<void>;
