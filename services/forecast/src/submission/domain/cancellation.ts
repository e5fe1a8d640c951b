import { forecastStatuses, forecastStatusName } from '@parcelway/contracts/forecast-status';
import { AppError } from '@parcelway/kernel/app-error';
import { type ForecastRecord, moved } from '../../store/domain/forecast.ts';
import type { ForecastWrite, KnownForecast } from '../../store/domain/known-forecast.ts';
import { cancelledMessage } from '../../store/domain/messages.ts';

const { ACCEPTED, CANCELLED } = forecastStatuses;

/** When the tenant cancelled a forecast, in epoch milliseconds; null unless it is cancelled. */
export function cancelledAt({ status, progress }: Pick<ForecastRecord, 'status' | 'progress'>): number | null {
  if (status !== CANCELLED) return null;
  return progress.history.find((entry) => entry.status === status)?.at ?? null;
}

/**
 * A forecast after the tenant cancelled it, possible until the parcel arrives.
 * @throws AppError 40902 with the status as it is
 */
export function cancel(
  forecast: Pick<ForecastRecord, 'status' | 'progress'>,
  now: number,
  keyId: string | null = null,
): Pick<ForecastRecord, 'status' | 'progress'> {
  const { status, progress } = forecast;
  if (status === ACCEPTED) return { status: CANCELLED, progress: moved(progress, status, CANCELLED, now, 'cancelled', keyId) };
  const name = forecastStatusName(status);
  throw new AppError('40902', `The forecast is ${name} and can no longer be cancelled`, { data: { status, status_name: name } });
}

/**
 * Decides a cancellation. One that was cancelled before stays as it is, and nobody is notified again.
 * @param known undefined when there is no such forecast
 * @param now epoch milliseconds
 * @param origin who cancels it, and in which trace
 * @returns the write, none for a repeat, and when it was cancelled
 * @throws AppError 40401; 40902 when it cannot be cancelled any more
 */
export function decideCancellation(
  known: KnownForecast | undefined,
  now: number,
  origin: { readonly keyId: string | null; readonly traceparent?: string | undefined },
): { readonly writes: readonly ForecastWrite[]; readonly cancelledAt: number } {
  if (known === undefined) throw new AppError('40401');
  const { record } = known;
  const earlier = cancelledAt(record);
  if (earlier !== null) return { writes: [], cancelledAt: earlier };
  const state = cancel(record, now, origin.keyId);
  const message = cancelledMessage(record, now);
  const write = { known, updatedAt: now, state, applied: [], messages: [{ message, traceparent: origin.traceparent }] };
  return { writes: [write], cancelledAt: now };
}
