import type { ImportUpload } from '../content.ts';
import type { FailedRowsQuery, ForecastImport, ForecastImportListQuery, ImportRowListQuery } from '../generated/types.ts';
import type { CallOptions } from '../options.ts';
import { Resource } from '../resource.ts';
import { sleep } from '../sleep.ts';

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

  /** How far an import is. Rejects with 40403 when there is none. */
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
