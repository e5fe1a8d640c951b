import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { Logger } from '@parcelway/kernel/logger';
import type { ForecastDirectory } from './ports.ts';

/** What following the forecasts needs. */
export interface FollowDeps {
  readonly directory: ForecastDirectory;
  readonly logger: Logger;
  /** Says that the outbox was written to. */
  readonly notify: () => void;
}

/** Puts an accepted forecast into the directory and applies the events that waited for it. Idempotent. */
export async function followAcceptance(deps: FollowDeps, event: DomainEvent<'forecast.accepted'>): Promise<void> {
  const forecast = {
    forecastNo: event.data.forecast_no,
    tenantId: event.tenantid,
    environment: event.environment,
    warehouseCode: event.data.warehouse_code,
    forecastType: event.data.forecast_type,
    trackingNumbers: event.data.tracking_numbers,
  };
  const { published } = await deps.directory.accept(forecast, event.traceparent);
  announce(deps, published, event.data.forecast_no);
}

/** Takes a cancelled forecast out of the match by scanned number. Idempotent. */
export async function followCancellation(deps: FollowDeps, event: DomainEvent<'forecast.cancelled'>): Promise<void> {
  const { forecast_no: forecastNo, cancelled_at: cancelledAt } = event.data;
  const { published } = await deps.directory.cancel(forecastNo, Date.parse(cancelledAt), event.traceparent);
  announce(deps, published, forecastNo);
}

function announce(deps: FollowDeps, published: number, forecastNo: string): void {
  if (published === 0) return;
  deps.notify();
  deps.logger.info({ forecast_no: forecastNo, events: published }, 'Waiting events have found their forecast');
}
