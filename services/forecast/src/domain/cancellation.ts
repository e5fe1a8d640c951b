import { type ForecastStatus, forecastStatuses, forecastStatusName } from '@parcelway/contracts/forecast-status';
import { AppError } from '@parcelway/kernel/app-error';

const { ACCEPTED, CANCELLED } = forecastStatuses;

/**
 * The status after the tenant's cancellation, possible until the parcel arrives.
 * @throws AppError 40902 with the status as it is
 */
export function statusAfterCancel(status: ForecastStatus): ForecastStatus {
  if (status === ACCEPTED) return CANCELLED;
  const name = forecastStatusName(status);
  throw new AppError('40902', `The forecast is ${name} and can no longer be cancelled`, { data: { status, status_name: name } });
}
