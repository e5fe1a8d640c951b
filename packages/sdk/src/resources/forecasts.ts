import { batchOf } from '../batch.ts';
import type {
  ForecastBatch,
  ForecastCorrection,
  ForecastExportQuery,
  ForecastImageAddition,
  ForecastListQuery,
  ForecastSubmission,
  ForecastsQuery,
} from '../generated/types.ts';
import type { CallOptions, CorrectionOptions } from '../options.ts';
import { Resource } from '../resource.ts';

/** Forecasts of a tenant. Every method rejects with a ParcelwayError. */
export class Forecasts extends Resource {
  /** Submits a forecast. Sent again with the same content, the platform gives the original result; so it is tried again after failures that pass. */
  submit(forecast: ForecastSubmission, options?: CallOptions) {
    return this.caller.call('submitForecast', { query: {}, body: forecast }, options);
  }

  /** Every error and warning that the submission would meet now. Nothing is stored. */
  validate(forecast: ForecastSubmission, options?: CallOptions) {
    return this.caller.call('validateForecast', { body: forecast }, options);
  }

  /** Submits at most 100 forecasts, each as if it was sent alone. Resolves with a result for each, in order; `acceptedForecasts` and `failedForecasts` read them. */
  submitBatch(forecasts: readonly ForecastSubmission[] | ForecastBatch, options?: CallOptions) {
    return this.caller.call('submitForecastBatch', { query: {}, body: batchOf(forecasts) }, options);
  }

  /** Validates at most 100 forecasts, also against each other. Nothing is stored. `validatedForecasts` reads the results. */
  validateBatch(forecasts: readonly ForecastSubmission[] | ForecastBatch, options?: CallOptions) {
    return this.caller.call('submitForecastBatch', { query: { validate_only: 'true' }, body: batchOf(forecasts) }, options);
  }

  /** At most 100 forecasts by their po_numbers. Resolves with a result for each, in order: 40401 where there is none. */
  query(query: ForecastsQuery, options?: CallOptions) {
    return this.caller.call('queryForecasts', { body: query }, options);
  }

  /**
   * Forecasts: `for await (const forecast of parcelway.forecasts.list({ status: 'WEIGHED' }))`. Newest first; with `q` by po_number, with `updated_from`
   * or `updated_to` the latest change first.
   */
  list(query: ForecastListQuery = {}, options?: CallOptions) {
    return this.pages('listForecasts', { query }, (page) => page.forecasts, options);
  }

  /** How many forecasts are in each status; of each status 10,000 are counted. */
  counts(options?: CallOptions) {
    return this.caller.call('countForecasts', {}, options);
  }

  /**
   * The forecasts that these filters find, as a CSV table that comes as it is made: `await pipeline(await parcelway.forecasts.exportCsv(), createWriteStream('exported-forecasts.csv'))`.
   * `timeoutMs` is for the beginning of the table. Once it has begun, the stream fails when the connection breaks, and after ten minutes without a byte.
   */
  exportCsv(query: ForecastExportQuery = {}, options?: CallOptions) {
    return this.caller.open('exportForecasts', { query }, options);
  }

  /** A forecast with its history and measurements. Rejects with 40401 when there is none. */
  get(poNumber: string, options?: CallOptions) {
    return this.caller.call('getForecast', { path: { po_number: poNumber } }, options);
  }

  /**
   * Corrects what was submitted: what is named replaces it, `items` as a whole; null removes. Rejects with 40902 when that is too late, and
   * with 41201 when the forecast has another version than `ifVersion`.
   */
  correct(poNumber: string, correction: ForecastCorrection, options?: CorrectionOptions) {
    return this.caller.call('correctForecast', { path: { po_number: poNumber }, body: correction }, options);
  }

  /** Cancels a forecast whose parcel has not arrived. Rejects with 40902 when it has. */
  cancel(poNumber: string, options?: CallOptions) {
    return this.caller.call('cancelForecast', { path: { po_number: poNumber } }, options);
  }

  /** Puts an image of `files.uploadImage` on a forecast. The same image again gets the type and order given. Rejects with 40902 when the forecast is cancelled or has 20. */
  addImage(poNumber: string, image: ForecastImageAddition, options?: CallOptions) {
    return this.caller.call('addForecastImage', { path: { po_number: poNumber }, body: image }, options);
  }

  /** Removes an own image, by its `id`. Rejects with 40403 when the forecast has no such image of its own. */
  removeImage(poNumber: string, id: number, options?: CallOptions) {
    return this.caller.call('removeForecastImage', { path: { po_number: poNumber, image_number: String(id) } }, options);
  }

  /** What the warehouse measured and photographed; complete from `parcel.weighed` on, null fields before. */
  weighing(poNumber: string, options?: CallOptions) {
    return this.caller.call('queryWeighing', { query: { po_number: poNumber } }, options);
  }

  /** Where the parcel is, asked of the carrier live. */
  tracking(poNumber: string, options?: CallOptions) {
    return this.caller.call('queryTracking', { query: { po_number: poNumber } }, options);
  }
}
