import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { cancel, cancelledAt } from './domain/advance.ts';
import type { ForecastWrite, KnownForecast } from './domain/known-forecast.ts';
import { cancelledMessage } from './domain/messages.ts';
import { releasesOf } from './domain/status.ts';
import type { ForecastWriter } from './forecast-writer.ts';
import type { ForecastReader } from './ports.ts';
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

/** What cancelling is made of. */
export interface CancelForecastOptions {
  readonly store: ForecastReader;
  readonly writer: ForecastWriter;
  readonly clock: Clock;
}

/**
 * Cancels the forecast of a po_number for its tenant: the live one. When all are cancelled, the newest cancellation is returned.
 * @param traceparent of the request, for the event
 * @throws AppError 40401 when there is none; 40902 when it has come further than status 1
 */
export type CancelForecast = (tenantId: string, poNumber: string, traceparent?: string) => Promise<Cancellation>;

/** The use case of a cancellation: frees the po_number and the logistics numbers in the same write. */
export function createCancelForecast({ store, writer, clock }: CancelForecastOptions): CancelForecast {
  return async (tenantId, poNumber, traceparent) => {
    const found = await findForecast(store, tenantId, poNumber);
    const { forecastNo } = found;
    const before = cancelledAt(found);
    if (before !== null) return { forecastNo, poNumber, cancelledAt: before, replayed: true };
    const now = clock.now();
    const wanted = [{ tenantId, forecastNo, eventIds: [], withContent: false }];
    // Another request may have cancelled it since it was read: then nothing changes and nobody is notified again.
    const { decision } = await writer.change(wanted, ([known]) => decideCancellation(known, now, traceparent));
    return { forecastNo, poNumber, cancelledAt: decision.cancelledAt, replayed: decision.writes.length === 0 };
  };
}

/** @throws AppError 40401, 40902 */
function decideCancellation(
  known: KnownForecast | undefined,
  now: number,
  traceparent: string | undefined,
): { readonly writes: readonly ForecastWrite[]; readonly cancelledAt: number } {
  if (known === undefined) throw new AppError('40401');
  const { record } = known;
  const earlier = cancelledAt(record);
  if (earlier !== null) return { writes: [], cancelledAt: earlier };
  const state = cancel(record, now);
  const message = cancelledMessage(record, now);
  const releases = releasesOf(record, state.status);
  const write = { known, updatedAt: now, state, releases, applied: [], messages: [{ message, traceparent }] };
  return { writes: [write], cancelledAt: now };
}
