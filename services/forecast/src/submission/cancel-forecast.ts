import type { Clock } from '@parcelway/kernel/clock';
import { findForecast } from '../lists/query-forecasts.ts';
import type { ForecastReader } from '../store/forecast-store.ts';
import type { ForecastWriter } from '../store/forecast-writer.ts';
import { BY_NO_KEY, type RequestOrigin } from '../store/ports.ts';
import { cancelledAt, decideCancellation } from './domain/cancellation.ts';

export interface Cancellation {
  readonly forecastNo: string;
  readonly poNumber: string;
  /** Epoch milliseconds; that of the first cancellation. */
  readonly cancelledAt: number;
  /** True when it had been cancelled before. */
  readonly replayed: boolean;
}

export interface CancelForecastOptions {
  readonly store: ForecastReader;
  readonly writer: ForecastWriter;
  readonly clock: Clock;
}

export type CancelForecast = ReturnType<typeof createCancelForecast>;

/**
 * The use case of a cancellation, of the live forecast of a po_number: frees the po_number and the logistics numbers in the same write. When all are
 * cancelled, the newest cancellation is returned.
 * @throws AppError 40401 when there is none; 40902 when it has come further than status 1
 */
export function createCancelForecast({ store, writer, clock }: CancelForecastOptions) {
  return async (tenantId: string, poNumber: string, origin: RequestOrigin = BY_NO_KEY): Promise<Cancellation> => {
    const found = await findForecast(store, tenantId, poNumber);
    const { forecastNo } = found;
    const before = cancelledAt(found);
    if (before !== null) return { forecastNo, poNumber, cancelledAt: before, replayed: true };
    const now = clock.now();
    // Another request may have cancelled it since it was read: then nothing changes and nobody is notified again.
    const { decision } = await writer.change([{ tenantId, forecastNo }], ([known]) => decideCancellation(known, now, origin));
    return { forecastNo, poNumber, cancelledAt: decision.cancelledAt, replayed: decision.writes.length === 0 };
  };
}
