// Made from the contract by `npm run docs`; do not edit.
import type { TrackingResult } from './tracking-api.ts';
import type { Warning } from './warnings.ts';
import type { WeighingData } from './weighing-api.ts';

/** Forecast query result */
export interface ForecastQueryResult {
  /** Place of the po_number in the request */
  readonly index: number;
  /** "0", or 40401 when no forecast of the tenant has the po_number */
  readonly code: string;
  readonly message: string;
  readonly data: QueriedForecast | null;
}

/** Forecast query results */
export interface ForecastQueryResults {
  /** One for each po_number, in the order of the request */
  readonly results: readonly ForecastQueryResult[];
  /** Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each */
  readonly warnings: readonly Warning[];
}

/** Query of many forecasts */
export interface ForecastsQuery {
  /** Forecasts to read */
  readonly po_numbers: readonly string[];
  /** `weighing` needs the scope weighing:read, `tracking` the scope tracking:read */
  readonly include?: readonly ('weighing' | 'tracking')[];
}

/** Queried forecast */
export interface QueriedForecast {
  readonly forecast_no: string;
  readonly po_number: string;
  readonly forecast_type: number;
  readonly warehouse_code: string;
  readonly due_date: string | null;
  readonly item_count: number;
  /** Begins at 1 and rises with each correction */
  readonly version: number;
  /** Status as an integer: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED */
  readonly status: number;
  /** Status as a string */
  readonly status_name: 'ACCEPTED' | 'ARRIVED' | 'WEIGHED' | 'PROCESSING' | 'SHIPPED' | 'COMPLETED' | 'CANCELLED';
  /** The warehouse found something wrong with the parcel, such as damage */
  readonly has_exception: boolean;
  /** True while a hold is not released. The status does not change with it */
  readonly on_hold: boolean;
  /** When it was accepted */
  readonly create_time: string;
  /** When it last changed */
  readonly update_time: string;
  readonly weighing?: WeighingData;
  readonly tracking?: TrackingResult;
}
