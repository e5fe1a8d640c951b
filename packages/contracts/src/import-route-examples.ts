import { exampleParcel } from './example-parcel.ts';
import type { ForecastImport, ForecastImportPreview, ImportColumn, ImportRow } from './import-api.ts';
import type { RouteExample } from './route-example.ts';

const { poNumber } = exampleParcel;
const importId = 'imp_0193a5c4b1d07a1b8c2d9e3f4a5b6c7d';

const columns: ImportColumn[] = [
  { title: 'PO number', field: 'po_number' },
  { title: 'Warehouse', field: 'warehouse_code' },
  { title: 'SKU', field: 'sku_code' },
  { title: 'Product name', field: 'product_name_en' },
  { title: 'Quantity', field: 'forecast_quantity' },
  { title: 'Remark', field: null },
];

const done: ForecastImport = {
  import_id: importId,
  state: 'done',
  phase: 'finished',
  file_name: 'forecasts.xlsx',
  validate_only: false,
  total: 3,
  accepted: 2,
  failed: 1,
  forecasts_accepted: 1,
  forecasts_failed: 1,
  columns,
  warnings: [{ field: 'Remark', message: 'The column Remark is ignored: no field has this title' }],
  error: null,
  create_time: '2025-11-21T03:20:00.000+00:00',
  finish_time: '2025-11-21T03:20:02.000+00:00',
};

const running: ForecastImport = {
  ...done,
  state: 'running',
  phase: 'waiting',
  total: 0,
  accepted: 0,
  failed: 0,
  forecasts_accepted: 0,
  forecasts_failed: 0,
  columns: [],
  warnings: [],
  finish_time: null,
};

const failedRow: ImportRow = {
  row: 4,
  po_number: 'PO-2025-1121-002',
  state: 'failed',
  forecast_no: null,
  errors: [{ field: 'Quantity', rule: 'minimum', message: 'Quantity must be at least 1' }],
  warnings: [],
};

const samples = [poNumber, 'WH-SZ', 'SKU-1001', 'Desk lamp', '20', 'fragile'];

const preview: ForecastImportPreview = {
  columns: columns.map((column, index) => ({ ...column, sample: samples[index] ?? null })),
  missing: [],
  rows: [
    {
      row: 2,
      po_number: poNumber,
      values: { po_number: poNumber, warehouse_code: 'WH-SZ', sku_code: 'SKU-1001', product_name_en: 'Desk lamp', forecast_quantity: 20 },
      errors: [],
    },
  ],
  row_count: 1,
  has_more_rows: false,
  warnings: [],
};

/** Route id → example, of the imports. */
export const importRouteExamples: Readonly<Record<string, RouteExample>> = {
  importForecasts: { requests: {}, data: running },
  listImports: { requests: {}, data: { imports: [done], next_cursor: null } },
  previewImport: { requests: {}, data: preview },
  getImportTemplateCsv: { requests: {} },
  getImportTemplateXlsx: { requests: {} },
  getImport: { requests: {}, data: done },
  listImportRows: { requests: {}, data: { rows: [failedRow], next_cursor: null } },
  getFailedRows: { requests: {}, query: { format: 'csv' } },
  cancelImport: { requests: {}, data: { ...running, state: 'cancelled', phase: 'finished', finish_time: '2025-11-21T03:20:01.000+00:00' } },
};

/** Parameter of a path → example. */
export const importParameterExamples: Readonly<Record<string, string>> = { import_id: importId };
