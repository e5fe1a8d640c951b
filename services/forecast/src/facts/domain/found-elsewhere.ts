import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { Fact } from '../../store/domain/fact.ts';
import type { ForecastRecord } from '../../store/domain/forecast.ts';

/**
 * The warehouse that has the parcel, when the first report that moves the forecast on comes from another than the forecast's: a
 * correction has moved the forecast while the parcel was arriving. Undefined when they agree.
 * @param status after the fact
 */
export function foundElsewhere(
  forecast: Pick<ForecastRecord, 'status' | 'warehouseCode'>,
  fact: Fact,
  status: ForecastStatus,
): string | undefined {
  if (forecast.status !== forecastStatuses.ACCEPTED || status === forecastStatuses.ACCEPTED || !('report' in fact)) return undefined;
  const { warehouseCode } = fact.report;
  return warehouseCode === forecast.warehouseCode ? undefined : warehouseCode;
}
