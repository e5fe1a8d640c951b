import type { Environment } from '@parcelway/contracts/environment';
import type { Clock } from '@parcelway/kernel/clock';
import { cancelledMessage } from './announce.ts';
import { cancel } from './domain/advance.ts';
import type { ForecastChanger, ForecastReader, Notify } from './ports.ts';
import { findForecast } from './query-forecasts.ts';

/** A cancelled forecast. */
export interface Cancellation {
  readonly forecastNo: string;
  readonly poNumber: string;
  /** Epoch milliseconds. */
  readonly cancelledAt: number;
}

/** What cancelling needs. */
export interface CancelPorts {
  readonly store: ForecastReader & ForecastChanger;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly notify: Notify;
}

/**
 * Cancels a forecast for its tenant.
 * @param traceparent of the request, for the event that tells of it
 * @throws AppError 40401 when there is none; 40902 unless its status is 1
 */
export type CancelForecast = (tenantId: string, poNumber: string, traceparent?: string) => Promise<Cancellation>;

/** The use case of a cancellation: frees the po_number and the logistics numbers in the same write. */
export function createCancelForecast({ store, clock, environment, notify }: CancelPorts): CancelForecast {
  return async (tenantId, poNumber, traceparent) => {
    const found = await findForecast(store, tenantId, poNumber);
    const now = clock.now();
    await store.change(tenantId, found.forecastNo, null, (forecast) => ({
      ...cancel(forecast, now),
      updatedAt: now,
      messages: [cancelledMessage({ environment, traceparent }, forecast, now)],
    }));
    notify();
    return { forecastNo: found.forecastNo, poNumber, cancelledAt: now };
  };
}
