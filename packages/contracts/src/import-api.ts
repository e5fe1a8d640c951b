import Type, { type Static } from 'typebox';
import { object, titled } from './object.ts';
import { pageOf } from './page.ts';
import { instant, nullable, oneOf, pageQuery } from './text.ts';
import { FieldError } from './warehouse-api.ts';
import { Warning } from './warnings.ts';

/** States of an import. */
export const importStates = ['running', 'done', 'failed', 'cancelled'] as const;
/** State of an import. */
export type ImportState = (typeof importStates)[number];

/** What is done with an import at the moment. */
export const importPhases = ['waiting', 'reading', 'submitting', 'finished'] as const;
/** What is done with an import at the moment. */
export type ImportPhase = (typeof importPhases)[number];

/** States of a row of an import. */
export const importRowStates = ['pending', 'accepted', 'failed'] as const;
/** State of a row of an import. */
export type ImportRowState = (typeof importRowStates)[number];

/** States that a list of rows can be filtered by. */
export const importRowResults = ['accepted', 'failed'] as const;

/** A column of a spreadsheet. */
export const ImportColumn = object('ImportColumn', {
  title: Type.String({ description: 'As the first row of the file has it' }),
  field: nullable(Type.String({ description: 'The field of a forecast or item that it fills; null when the column is ignored' })),
});
export type ImportColumn = Static<typeof ImportColumn>;

/** Why a file cannot be imported. */
export const ImportError = object('ImportError', { code: Type.String(), message: Type.String() });
export type ImportError = Static<typeof ImportError>;

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** An import of forecasts from a spreadsheet. */
export const ForecastImport = titled('ForecastImport', 'Import of forecasts', {
  import_id: Type.String({ description: 'Id of the import' }),
  state: oneOf(importStates, 'running: not finished; done: every row has a result; failed: the file cannot be read; cancelled: stopped'),
  phase: oneOf(
    importPhases,
    'waiting: behind other imports; reading: the file is read; submitting: its forecasts are submitted; finished: the state is not running',
  ),
  file_name: Type.String(),
  validate_only: Type.Boolean({ description: 'true when forecasts are checked and not submitted' }),
  total: count('Rows that were read, without header and empty rows; final once the phase is submitting'),
  accepted: count('Rows whose forecast was accepted, or would be'),
  failed: count('Rows whose forecast failed'),
  forecasts_accepted: count('Forecasts that were accepted, or would be'),
  forecasts_failed: count('Forecasts that failed'),
  columns: Type.Array(ImportColumn, { description: 'Titles that were found, in their order; empty until the file is read' }),
  warnings: Type.Array(Warning, {
    description: 'What is unusual about the file, and ignored parameters; `field` is a column, or `file`',
  }),
  error: nullable(ImportError),
  create_time: instant('When the file was uploaded'),
  finish_time: nullable(instant('When it finished; null while it runs')),
});
export type ForecastImport = Static<typeof ForecastImport>;

const { limit, cursor } = pageQuery(50);

/** Query of the list of imports. */
export const ForecastImportListQuery = object('ForecastImportListQuery', { cursor, limit });
export type ForecastImportListQuery = Static<typeof ForecastImportListQuery>;

/** A page of imports, newest first. */
export const ForecastImportList = pageOf('ForecastImportList', 'imports', ForecastImport);

const ROW_ERRORS = { description: '`field` is the title of the column, or the name of the field when no column fills it; at most 20' };
const row = count('Number of the row as a spreadsheet program shows it: the header is usually row 1');

/** The result of a row. */
export const ImportRow = object('ImportRow', {
  row,
  po_number: nullable(Type.String()),
  state: oneOf(
    importRowStates,
    'pending: not submitted yet; accepted: its forecast was accepted, or would be; failed: its forecast failed',
  ),
  forecast_no: nullable(Type.String({ description: 'Number of the accepted forecast; null with validate_only' })),
  errors: Type.Array(FieldError, ROW_ERRORS),
  warnings: Type.Array(Warning, { description: 'As for a submission, with `field` as in errors; at most 20' }),
});
export type ImportRow = Static<typeof ImportRow>;

/** Query of the rows of an import. */
export const ImportRowListQuery = object('ImportRowListQuery', {
  state: Type.Optional(oneOf(importRowResults, 'Only rows with this result')),
  cursor,
  limit,
});
export type ImportRowListQuery = Static<typeof ImportRowListQuery>;

/** A page of rows, in the order of the file. */
export const ImportRowList = pageOf('ImportRowList', 'rows', ImportRow);

/** Formats of a file of failed rows. */
export const spreadsheetFormats = ['csv', 'xlsx'] as const;

/** Query of the file of failed rows. */
export const FailedRowsQuery = object('FailedRowsQuery', {
  format: Type.Optional(oneOf(spreadsheetFormats, 'Format of the file; default that of the file that was imported')),
});
export type FailedRowsQuery = Static<typeof FailedRowsQuery>;

/** Rows that a preview checks and shows, at most. */
export const MAX_PREVIEW_ROWS = 10;
/** Rows of a file that a preview counts, at most; it reads no further. */
export const MAX_COUNTED_ROWS = 1000;

/** A column of a spreadsheet that is previewed. */
export const ImportPreviewColumn = object('ImportPreviewColumn', {
  ...ImportColumn.properties,
  sample: nullable(
    Type.String({ description: 'Cell of the first row in this column, ignored or not, cut to 100 characters; null when it is empty' }),
  ),
});
export type ImportPreviewColumn = Static<typeof ImportPreviewColumn>;

/** Why a row of a preview would fail. */
export const ImportPreviewError = object('ImportPreviewError', {
  ...FieldError.properties,
  code: Type.Optional(Type.String({ description: 'Code with which a submission fails, such as 42201' })),
});

/** A row of a preview. */
export const ImportPreviewRow = object('ImportPreviewRow', {
  row,
  po_number: nullable(Type.String()),
  values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
    description: 'Field → value as it would be submitted',
  }),
  errors: Type.Array(ImportPreviewError, ROW_ERRORS),
});
export type ImportPreviewRow = Static<typeof ImportPreviewRow>;

/** What a spreadsheet would become. */
export const ForecastImportPreview = object('ForecastImportPreview', {
  columns: Type.Array(ImportPreviewColumn, { description: 'Titles that were found, the suggested mapping, and samples' }),
  missing: Type.Array(Type.String(), { description: 'Required fields that no column fills; an import without them fails' }),
  rows: Type.Array(ImportPreviewRow, { description: 'The first rows, at most 10: only these are checked' }),
  row_count: count('Rows of the file, without header and empty rows; 1000 when there are more'),
  has_more_rows: Type.Boolean({ description: 'true when the file has more rows than row_count says' }),
  warnings: Type.Array(Warning, { description: 'What is unusual about the file, and ignored parameters' }),
});
export type ForecastImportPreview = Static<typeof ForecastImportPreview>;
