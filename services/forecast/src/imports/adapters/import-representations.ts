import type { ForecastImport, ForecastImportPreview, ImportRow } from '@parcelway/contracts/import-api';
import { isoInstant } from '@parcelway/kernel/clock';
import type { ImportRecord, StoredRow } from '../ports.ts';
import type { Preview } from '../preview-import.ts';

/** An import in the terms of the API. */
export function importData(record: ImportRecord): ForecastImport {
  return {
    import_id: record.importId,
    state: record.state === 'receiving' ? 'running' : record.state,
    phase: record.phase,
    file_name: record.fileName,
    validate_only: record.validateOnly,
    total: record.total,
    accepted: record.accepted,
    failed: record.failed,
    forecasts_accepted: record.forecastsAccepted,
    forecasts_failed: record.forecastsFailed,
    columns: record.columns.map(({ title, field }) => ({ title, field })),
    warnings: [...record.warnings],
    error: record.error,
    create_time: isoInstant(record.createdAt),
    finish_time: record.finishedAt === null ? null : isoInstant(record.finishedAt),
  };
}

/** A row of an import. */
export function importRowData({ row, poNumber, state, forecastNo, errors, warnings }: StoredRow): ImportRow {
  return { row, po_number: poNumber || null, state, forecast_no: forecastNo, errors: [...errors], warnings: [...warnings] };
}

/** A preview. */
export function previewData({ columns, missing, rows, rowCount, hasMoreRows, warnings }: Preview): ForecastImportPreview {
  return {
    columns: columns.map(({ title, field, sample }) => ({ title, field, sample })),
    missing: [...missing],
    rows: rows.map(({ row, poNumber, values, errors }) => ({
      row,
      po_number: poNumber || null,
      values: { ...values },
      errors: [...errors],
    })),
    row_count: rowCount,
    has_more_rows: hasMoreRows,
    warnings: [...warnings],
  };
}
