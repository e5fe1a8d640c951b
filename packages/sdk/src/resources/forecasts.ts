import type { Caller } from '../caller.ts';
import type { ContentStream } from '../content.ts';
import type {
  ForecastCancellation,
  ForecastDetail,
  ForecastExportQuery,
  ForecastList,
  ForecastListQuery,
  ForecastSummary,
} from '../generated/forecast-api.ts';
import type { CorrectedForecast, ForecastCorrection } from '../generated/forecast-correction-api.ts';
import type { ForecastAcceptance, ForecastSubmission } from '../generated/forecast-submission-api.ts';
import type { TrackingResult } from '../generated/tracking-api.ts';
import type { WeighingData } from '../generated/weighing-api.ts';
import type { CallOptions, CorrectionOptions } from '../options.ts';
import { Paged } from '../paged.ts';

/** Forecasts of a tenant. Every method rejects with a ParcelwayError. */
export class Forecasts {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Submits a forecast. Sent again with the same content, the platform gives the original result; so it is tried again after failures that pass. */
  submit(forecast: ForecastSubmission, options?: CallOptions): Promise<ForecastAcceptance> {
    return this.#caller.call('submitForecast', { body: forecast }, options);
  }

  /**
   * Forecasts: `for await (const forecast of parcelway.forecasts.list({ status: 'WEIGHED' }))`. Newest first; with `q` by po_number, with `updated_from`
   * or `updated_to` the latest change first.
   */
  list(query: ForecastListQuery = {}, options?: CallOptions): Paged<ForecastSummary, ForecastList> {
    const fetch = (cursor: string | undefined): Promise<ForecastList> =>
      this.#caller.call('listForecasts', { query: cursor === undefined ? query : { ...query, cursor } }, options);
    return new Paged(fetch, (page) => page.forecasts);
  }

  /**
   * The forecasts that these filters find, as a CSV table that comes as it is made: `await pipeline(await parcelway.forecasts.exportCsv(), createWriteStream('forecasts.csv'))`.
   * `timeoutMs` is for the beginning of the table. Once it has begun, the stream fails when the connection breaks, and after ten minutes without a byte.
   */
  exportCsv(query: ForecastExportQuery = {}, options?: CallOptions): Promise<ContentStream> {
    return this.#caller.open('exportForecasts', { query }, options);
  }

  /** A forecast with its history and measurements. Rejects with 40401 when there is none. */
  get(poNumber: string, options?: CallOptions): Promise<ForecastDetail> {
    return this.#caller.call('getForecast', { path: { po_number: poNumber } }, options);
  }

  /**
   * Corrects what was submitted: what is named replaces it, `items` as a whole; null removes. Rejects with 40902 when that is too late, and
   * with 41201 when the forecast has another version than `ifVersion`.
   */
  correct(poNumber: string, correction: ForecastCorrection, options?: CorrectionOptions): Promise<CorrectedForecast> {
    return this.#caller.call('correctForecast', { path: { po_number: poNumber }, body: correction }, options);
  }

  /** Cancels a forecast whose parcel has not arrived. Rejects with 40902 when it has. */
  cancel(poNumber: string, options?: CallOptions): Promise<ForecastCancellation> {
    return this.#caller.call('cancelForecast', { path: { po_number: poNumber } }, options);
  }

  /** What the warehouse measured and photographed; complete from `parcel.weighed` on, null fields before. */
  weighing(poNumber: string, options?: CallOptions): Promise<WeighingData> {
    return this.#caller.call('queryWeighing', { query: { po_number: poNumber } }, options);
  }

  /** Where the parcel is, asked of the carrier live. */
  tracking(poNumber: string, options?: CallOptions): Promise<TrackingResult> {
    return this.#caller.call('queryTracking', { query: { po_number: poNumber } }, options);
  }
}
