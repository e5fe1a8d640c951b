import type { WarehouseForecast, WarehouseListedForecast } from '@parcelway/contracts/warehouse-view-api';
import type { Candidate } from '../domain/bench.ts';
import { comparable } from '../domain/entry.ts';

/** Most parcels that are remembered. */
export const MAX_EXPECTED = 5000;
/** Most candidates of a scan. */
const MAX_CANDIDATES = 50;
/** Statuses of parcels that are expected or here: ACCEPTED to PROCESSING. */
const LAST_PRESENT_STATUS = 4;
/** Shortest code of a label: what holds a number is longer than the number. */
const MIN_LABEL = 20;

/** The parcels that the warehouse expects or holds, as the list last showed them. A scan is looked up among them while the platform does not respond. */
export class ExpectedParcels {
  /** By forecast_no. */
  readonly #forecasts = new Map<string, WarehouseForecast>();

  get size(): number {
    return this.#forecasts.size;
  }

  /** Version of a parcel; undefined for one that is not remembered. */
  versionOf(forecastNo: string): number | undefined {
    return this.#forecasts.get(forecastNo)?.version;
  }

  /** Applies changes; parcels that have left, or moved to another warehouse, are removed. */
  apply(forecasts: readonly WarehouseListedForecast[]): void {
    for (const forecast of forecasts) {
      this.#forecasts.delete(forecast.forecast_no);
      if (forecast.status <= LAST_PRESENT_STATUS && !forecast.moved) this.#forecasts.set(forecast.forecast_no, forecast);
    }
    const excess = this.#forecasts.size - MAX_EXPECTED;
    if (excess <= 0) return;
    const longestUnchanged = [...this.#forecasts.values()].sort((a, b) => Date.parse(a.update_time) - Date.parse(b.update_time));
    for (const { forecast_no } of longestUnchanged.slice(0, excess)) this.#forecasts.delete(forecast_no);
  }

  /** What a scan may mean, never a guess: several are several. Codes of products are not known here. */
  lookUp(scan: string): Candidate[] {
    const wanted = comparable(scan);
    const found: Candidate[] = [];
    for (const forecast of this.#forecasts.values()) {
      const matched_by = matchOf(forecast, wanted);
      if (matched_by !== undefined) found.push({ forecast, matched_by, reason: '' });
      if (found.length === MAX_CANDIDATES) break;
    }
    return found;
  }
}

function matchOf({ forecast_no, po_number, tracking_numbers }: WarehouseForecast, wanted: string): Candidate['matched_by'] | undefined {
  if (comparable(forecast_no) === wanted) return 'forecast_no';
  if (tracking_numbers.some((number) => comparable(number) === wanted)) return 'tracking_number';
  if (po_number !== '' && comparable(po_number) === wanted) return 'po_number';
  return wanted.length >= MIN_LABEL && wanted.includes(comparable(forecast_no)) ? 'label' : undefined;
}
