import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { WholeForecast } from '../store/domain/known-forecast.ts';

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

/** Writes forecasts to the archive before they are deleted; resolves once they are durable there. @throws AppError 50301 */
export type ArchiveForecasts = (tenantId: string, forecasts: readonly WholeForecast[]) => Promise<void>;
