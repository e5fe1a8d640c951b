import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { Logger } from '@parcelway/kernel/logger';
import type { AcceptedForecast } from './domain/event.ts';
import type { ForecastDirectory } from './ports.ts';

/** What following the forecasts needs. */
export interface FollowOptions {
  readonly directory: ForecastDirectory;
  readonly logger: Logger;
  /** Says that the outbox was written to. */
  readonly notify: () => void;
}

function forecastOf(event: DomainEvent<'forecast.accepted' | 'forecast.corrected'>): AcceptedForecast {
  return {
    forecastNo: event.data.forecast_no,
    tenantId: event.tenantid,
    environment: event.environment,
    warehouseCode: event.data.warehouse_code,
    forecastType: event.data.forecast_type,
    trackingNumbers: event.data.tracking_numbers,
  };
}

/** Puts an accepted forecast into the directory and applies the events that waited for it. Idempotent. */
export async function followAcceptance(options: FollowOptions, event: DomainEvent<'forecast.accepted'>): Promise<void> {
  const { published } = await options.directory.accept(forecastOf(event), event.traceparent);
  announce(options, published, event.data.forecast_no);
}

/** Has the directory follow a correction and applies the events that waited for what the forecast declares now. Idempotent. */
export async function followCorrection(options: FollowOptions, event: DomainEvent<'forecast.corrected'>): Promise<void> {
  const { published } = await options.directory.correct({ ...forecastOf(event), version: event.data.version }, event.traceparent);
  announce(options, published, event.data.forecast_no);
}

/** Takes a cancelled forecast out of the match by scanned number. Idempotent. */
export async function followCancellation(options: FollowOptions, event: DomainEvent<'forecast.cancelled'>): Promise<void> {
  const { forecast_no: forecastNo, cancelled_at: cancelledAt } = event.data;
  const { published } = await options.directory.cancel(forecastNo, Date.parse(cancelledAt), event.traceparent);
  announce(options, published, forecastNo);
}

function announce(options: FollowOptions, published: number, forecastNo: string): void {
  if (published === 0) return;
  options.notify();
  options.logger.info({ forecast_no: forecastNo, events: published }, 'Waiting events have found their forecast');
}
