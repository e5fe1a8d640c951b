import type { Environment } from '@parcelway/contracts/environment';
import type { Clock } from '@parcelway/kernel/clock';
import { cancelledMessage } from './announce.ts';
import { cancel, cancelledAt } from './domain/advance.ts';
import type { ForecastChanger, ForecastReader, Notify } from './ports.ts';
import { findForecast } from './query-forecasts.ts';

/** A cancelled forecast. */
export interface Cancellation {
  readonly forecastNo: string;
  readonly poNumber: string;
  /** Epoch milliseconds; that of the first cancellation. */
  readonly cancelledAt: number;
  /** True when it had been cancelled before. */
  readonly replayed: boolean;
}

/** What cancelling needs. */
export interface CancelPorts {
  readonly store: ForecastReader & ForecastChanger;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly notify: Notify;
}

/**
 * Cancels the forecast of a po_number for its tenant: the live one. When all are cancelled, the newest cancellation is returned.
 * @param traceparent of the request, for the event that tells of it
 * @throws AppError 40401 when there is none; 40902 when it has come further than status 1
 */
export type CancelForecast = (tenantId: string, poNumber: string, traceparent?: string) => Promise<Cancellation>;

/** The use case of a cancellation: frees the po_number and the logistics numbers in the same write. */
export function createCancelForecast({ store, clock, environment, notify }: CancelPorts): CancelForecast {
  return async (tenantId, poNumber, traceparent) => {
    const found = await findForecast(store, tenantId, poNumber);
    const { forecastNo } = found;
    const before = cancelledAt(found);
    if (before !== null) return { forecastNo, poNumber, cancelledAt: before, replayed: true };
    const now = clock.now();
    let earlier: number | null = null;
    await store.change(tenantId, forecastNo, null, (forecast) => {
      // Another request may have cancelled it since it was read: then nothing changes and nobody is told again.
      earlier = cancelledAt(forecast);
      if (earlier !== null) return { ...forecast, messages: [] };
      const messages = [cancelledMessage({ environment, traceparent }, forecast, now)];
      return { ...cancel(forecast, now), updatedAt: now, messages };
    });
    if (earlier !== null) return { forecastNo, poNumber, cancelledAt: earlier, replayed: true };
    notify();
    return { forecastNo, poNumber, cancelledAt: now, replayed: false };
  };
}
