import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { Logger } from '@parcelway/kernel/logger';
import type { AcceptedForecast } from './domain/event.ts';
import type { ForecastFact } from './domain/forecast-fact.ts';
import type { FirstShown } from './view-store.ts';

/** The directory of forecasts that events are matched with. */
export interface ForecastDirectory {
  /**
   * Applies facts to the directory, with the effect of applying them one after the other, and writes the publications of the waiting events that
   * they release, in the order in which these occurred. Idempotent. A crowd of more than some hundred waiting events is processed in several steps;
   * repeating the call continues where a crash ended it.
   *
   * - Accepted: adds the forecast. Events that waited for it are published.
   * - Corrected (domain/directory): events that waited for what the forecast declares now are published, and events that were ambiguous
   *   because of what it declared before are matched again. Adds a forecast whose acceptance was not seen. A version that is not newer than the known
   *   one changes nothing.
   * - Cancelled: removes the forecast from the match by scanned number. Events that were ambiguous because of it are matched again.
   * - Refused: the same, and the report that was published for it is matched again, or waits. A report that names the forecast stays.
   * @param shown what warehouses are shown of those that are new
   * @returns how many events found their forecast
   * @throws AppError 50301 when the store is out
   */
  follow(facts: readonly ForecastFact[], shown?: FirstShown): Promise<{ readonly published: number }>;
}

/** What following the forecasts needs. */
export interface FollowOptions {
  readonly directory: ForecastDirectory;
  readonly logger: Logger;
  /** Says that the outbox was written to. */
  readonly notify: () => void;
}

/** An event that changes the directory. */
export type DirectoryEvent =
  | DomainEvent<'forecast.accepted'>
  | DomainEvent<'forecast.corrected'>
  | DomainEvent<'forecast.cancelled'>
  | DomainEvent<'forecast.report_refused'>;

function forecastOf(event: DomainEvent<'forecast.accepted' | 'forecast.corrected'>): AcceptedForecast {
  return {
    forecastNo: event.data.forecast_no,
    tenantId: event.tenantid,
    environment: event.environment,
    warehouseCode: event.data.warehouse_code,
    forecastType: event.data.forecast_type,
    trackingNumbers: event.data.tracking_numbers,
    poNumber: event.data.po_number,
  };
}

function factOf(event: DirectoryEvent): ForecastFact {
  const { traceparent } = event;
  switch (event.type) {
    case 'forecast.accepted':
      return { kind: 'accepted', forecast: forecastOf(event), traceparent };
    case 'forecast.corrected':
      return { kind: 'corrected', forecast: { ...forecastOf(event), version: event.data.version }, traceparent };
    case 'forecast.cancelled':
      return { kind: 'cancelled', forecastNo: event.data.forecast_no, at: Date.parse(event.data.cancelled_at), traceparent };
    case 'forecast.report_refused': {
      const report = { warehouseCode: event.data.warehouse_code, eventId: event.data.event_id };
      return { kind: 'refused', forecastNo: event.data.forecast_no, at: Date.parse(event.data.cancelled_at), report, traceparent };
    }
  }
}

/**
 * Applies what happened to forecasts to the directory, and publishes the events that waited for it. Idempotent.
 * @param events in the order of the log
 * @param shown what warehouses are shown of the forecasts that are new
 * @throws AppError 50301 when the store is out
 */
export async function followForecasts(
  { directory, logger, notify }: FollowOptions,
  events: readonly DirectoryEvent[],
  shown?: FirstShown,
): Promise<void> {
  if (events.length === 0) return;
  const { published } = await directory.follow(events.map(factOf), shown);
  if (published === 0) return;
  notify();
  const forecasts = [...new Set(events.map(({ data }) => data.forecast_no))];
  const named = forecasts.length === 1 ? { forecast_no: forecasts[0] } : { forecasts: forecasts.length };
  logger.info({ ...named, events: published }, 'Waiting events were applied to their forecast');
}
