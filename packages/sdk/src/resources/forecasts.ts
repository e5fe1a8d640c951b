import { batchOf } from '../batch.ts';
import type { ImportUpload } from '../content.ts';
import type {
  FailedRowsQuery,
  ForecastBatch,
  ForecastCorrection,
  ForecastExportQuery,
  ForecastImageAddition,
  ForecastImport,
  ForecastImportListQuery,
  ForecastListQuery,
  ForecastSubmission,
  ForecastsQuery,
  ImportRowListQuery,
} from '../generated/types.ts';
import type { CallOptions, CorrectionOptions } from '../options.ts';
import { Resource } from '../resource.ts';
import { sleep } from '../retry.ts';

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

const FIRST_LOOK_MS = 250;
const LOOK_EVERY_MS = 2000;
const WAIT_MS = 600_000;

/** How an import is waited for. */
export interface WaitOptions extends CallOptions {
  /** Longest wait, milliseconds; default 10 minutes. */
  readonly waitMs?: number;
  /** Called with each look at the import. */
  readonly onProgress?: (progress: ForecastImport) => void;
}

/** Imports of forecasts from spreadsheets. Every method rejects with a ParcelwayError. */
export class Imports extends Resource {
  /** Uploads a .csv or .xlsx file of at most 20 MB and 50,000 rows; its forecasts are submitted afterwards. */
  create(spreadsheet: ImportUpload, options?: CallOptions) {
    return this.caller.call('importForecasts', { body: spreadsheet }, options);
  }

  /** Which column fills which field, and the first rows with their errors. Nothing is stored. */
  preview(spreadsheet: ImportUpload, options?: CallOptions) {
    return this.caller.call('previewImport', { body: spreadsheet }, options);
  }

  /** Imports of the last 30 days, newest first. */
  list(query: ForecastImportListQuery = {}, options?: CallOptions) {
    return this.pages('listImports', { query }, (page) => page.imports, options);
  }

  /** Reads the progress of an import. Rejects with 40403 when the import does not exist. */
  get(importId: string, options?: CallOptions) {
    return this.caller.call('getImport', { path: { import_id: importId } }, options);
  }

  /** Results of rows: `for await (const row of parcelway.imports.rows(id, { state: 'failed' }))`. */
  rows(importId: string, query: ImportRowListQuery = {}, options?: CallOptions) {
    const path = { import_id: importId };
    return this.pages('listImportRows', { path, query }, (page) => page.rows, options);
  }

  /**
   * The failed rows as a spreadsheet, with a column that says why. Correct them and import the file. It has the format of the file that was imported, unless
   * `format` says another one; `mediaType` says which.
   */
  failedRows(importId: string, query: FailedRowsQuery = {}, options?: CallOptions) {
    return this.caller.call('getFailedRows', { path: { import_id: importId }, query }, options);
  }

  /** The failed rows as CSV, whatever was imported. */
  failedCsv(importId: string, options?: CallOptions) {
    return this.caller.call('getFailedRows', { path: { import_id: importId }, query: { format: 'csv' } }, options);
  }

  /** Stops what has not been submitted. Rejects with 40902 when the import has finished. */
  cancel(importId: string, options?: CallOptions) {
    return this.caller.call('cancelImport', { path: { import_id: importId } }, options);
  }

  /** A CSV file with titles and two sample rows. */
  templateCsv(options?: CallOptions) {
    return this.caller.call('getImportTemplateCsv', {}, options);
  }

  /** As templateCsv, a workbook. */
  templateXlsx(options?: CallOptions) {
    return this.caller.call('getImportTemplateXlsx', {}, options);
  }

  /**
   * Waits until an import has finished; its `state` says how.
   * @throws Error when it still runs after `waitMs`: it goes on, and can be waited for again
   */
  async waitUntilDone(importId: string, { waitMs = WAIT_MS, onProgress, ...options }: WaitOptions = {}): Promise<ForecastImport> {
    const end = Date.now() + waitMs;
    for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(LOOK_EVERY_MS, pauseMs * 2)) {
      const progress = await this.get(importId, options);
      onProgress?.(progress);
      if (progress.state !== 'running') return progress;
      if (Date.now() + pauseMs > end)
        throw new Error(`The import ${importId} still runs after ${Math.round(waitMs / 1000)} s; wait for it again`);
      await sleep(pauseMs, options.signal);
    }
  }
}
