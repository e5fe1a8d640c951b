// Made from the contract by `npm run docs`; do not edit.
import type { FieldError } from './warehouse-api.ts';
import type { Warning } from './warnings.ts';

/** Failed rows query */
export interface FailedRowsQuery {
  /** Format of the file; default that of the file that was imported */
  readonly format?: 'csv' | 'xlsx';
}

/** Import of forecasts */
export interface ForecastImport {
  /** Id of the import */
  readonly import_id: string;
  /** running: not finished; done: every row has a result; failed: the file cannot be read; cancelled: stopped */
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  /** waiting: behind other imports; reading: the file is read; submitting: its forecasts are submitted; finished: the state is not running */
  readonly phase: 'waiting' | 'reading' | 'submitting' | 'finished';
  readonly file_name: string;
  /** true when forecasts are checked and not submitted */
  readonly validate_only: boolean;
  /** Rows that were read, without header and empty rows; final once the phase is submitting */
  readonly total: number;
  /** Rows whose forecast was accepted, or would be */
  readonly accepted: number;
  /** Rows whose forecast failed */
  readonly failed: number;
  /** Forecasts that were accepted, or would be */
  readonly forecasts_accepted: number;
  /** Forecasts that failed */
  readonly forecasts_failed: number;
  /** Titles that were found, in their order; empty until the file is read */
  readonly columns: readonly ImportColumn[];
  /** What is unusual about the file, and ignored parameters; `field` is a column, or `file` */
  readonly warnings: readonly Warning[];
  readonly error: ImportError | null;
  /** When the file was uploaded */
  readonly create_time: string;
  /** When it finished; null while it runs */
  readonly finish_time: string | null;
}

/** Forecast import list */
export interface ForecastImportList {
  readonly imports: readonly ForecastImport[];
  /** null on the last page */
  readonly next_cursor: string | null;
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Forecast import list query */
export interface ForecastImportListQuery {
  /** `next_cursor` of the previous page */
  readonly cursor?: string;
  /** Page size, 1 to 100; default 50 */
  readonly limit?: number;
}

/** Forecast import preview */
export interface ForecastImportPreview {
  /** Titles that were found, the suggested mapping, and samples */
  readonly columns: readonly ImportPreviewColumn[];
  /** Required fields that no column fills; an import without them fails */
  readonly missing: readonly string[];
  /** The first rows, at most 10: only these are checked */
  readonly rows: readonly ImportPreviewRow[];
  /** Rows of the file, without header and empty rows; 1000 when there are more */
  readonly row_count: number;
  /** true when the file has more rows than row_count says */
  readonly has_more_rows: boolean;
  /** What is unusual about the file, and ignored parameters */
  readonly warnings: readonly Warning[];
}

/** Import column */
export interface ImportColumn {
  /** As the first row of the file has it */
  readonly title: string;
  /** The field of a forecast or item that it fills; null when the column is ignored */
  readonly field: string | null;
}

/** Import error */
export interface ImportError {
  readonly code: string;
  readonly message: string;
}

/** Import preview column */
export interface ImportPreviewColumn {
  /** As the first row of the file has it */
  readonly title: string;
  /** The field of a forecast or item that it fills; null when the column is ignored */
  readonly field: string | null;
  /** Cell of the first row in this column, ignored or not, cut to 100 characters; null when it is empty */
  readonly sample: string | null;
}

/** Import preview error */
export interface ImportPreviewError {
  /** JSON path of the field, such as items[3].sku_code; in an import the title of its column */
  readonly field: string;
  readonly rule: string;
  readonly message: string;
  /** Code with which a submission fails, such as 42201 */
  readonly code?: string;
}

/** Import preview row */
export interface ImportPreviewRow {
  /** Number of the row as a spreadsheet program shows it: the header is usually row 1 */
  readonly row: number;
  readonly po_number: string | null;
  /** Field → value as it would be submitted */
  readonly values: Readonly<Record<string, string | number>>;
  /** `field` is the title of the column, or the name of the field when no column fills it; at most 20 */
  readonly errors: readonly ImportPreviewError[];
}

/** Import row */
export interface ImportRow {
  /** Number of the row as a spreadsheet program shows it: the header is usually row 1 */
  readonly row: number;
  readonly po_number: string | null;
  /** pending: not submitted yet; accepted: its forecast was accepted, or would be; failed: its forecast failed */
  readonly state: 'pending' | 'accepted' | 'failed';
  /** Number of the accepted forecast; null with validate_only */
  readonly forecast_no: string | null;
  /** `field` is the title of the column, or the name of the field when no column fills it; at most 20 */
  readonly errors: readonly FieldError[];
  /** As for a submission, with `field` as in errors; at most 20 */
  readonly warnings: readonly Warning[];
}

/** Import row list */
export interface ImportRowList {
  readonly rows: readonly ImportRow[];
  /** null on the last page */
  readonly next_cursor: string | null;
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Import row list query */
export interface ImportRowListQuery {
  /** Only rows with this result */
  readonly state?: 'accepted' | 'failed';
  /** `next_cursor` of the previous page */
  readonly cursor?: string;
  /** Page size, 1 to 100; default 50 */
  readonly limit?: number;
}
