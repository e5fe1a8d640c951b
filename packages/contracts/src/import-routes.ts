import {
  FailedRowsQuery,
  ForecastImport,
  ForecastImportList,
  ForecastImportListQuery,
  ForecastImportPreview,
  ImportRowList,
  ImportRowListQuery,
} from './import-api.ts';
import { type RouteDefinition, routesWith } from './route.ts';

const route = routesWith({ service: 'forecast', scopes: ['forecasts:write'], tag: 'Imports' });

/** Imports of forecasts from spreadsheets. */
export const importRoutes: readonly RouteDefinition[] = [
  route({
    id: 'importForecasts',
    method: 'POST',
    path: '/open/v1/forecasts/import',
    rateClass: 'upload',
    summary: 'Import forecasts from a spreadsheet',
    description:
      'A `.csv` or `.xlsx` file of at most 20 MB and 50,000 rows, with a header and one row for each item. The rows with one `po_number` form one forecast. The response comes before the forecasts are submitted: read the import until its `state` is not `running`. At most 10 imports may be unfinished: one more is 40902.',
    body: 'multipart',
    data: ForecastImport,
    success: 202,
    repeat: 'Makes another import; forecasts that were accepted are not submitted again.',
    idempotencyKey: true,
    errors: ['40902', '42201'],
  }),
  route({
    id: 'listImports',
    path: '/open/v1/forecasts/import',
    summary: 'List imports',
    description: 'Newest first, in pages. Imports are kept for 30 days.',
    query: ForecastImportListQuery,
    data: ForecastImportList,
  }),
  route({
    id: 'previewImport',
    method: 'POST',
    path: '/open/v1/forecasts/import/preview',
    rateClass: 'upload',
    summary: 'Preview an import',
    description: 'Which column fills which field, and the first 10 rows with their errors. Nothing is stored or submitted.',
    body: 'multipart',
    data: ForecastImportPreview,
    repeat: 'Changes nothing.',
    errors: ['42201'],
  }),
  route({
    id: 'getImportTemplateCsv',
    path: '/open/v1/forecasts/import/template.csv',
    summary: 'Get a template as CSV',
    description: 'A header and two sample rows. Replace the URLs of label and packing list by those of your uploads.',
    data: 'binary',
  }),
  route({
    id: 'getImportTemplateXlsx',
    path: '/open/v1/forecasts/import/template.xlsx',
    summary: 'Get a template as XLSX',
    description: 'A header and two sample rows. Replace the URLs of label and packing list by those of your uploads.',
    data: 'binary',
  }),
  route({
    id: 'getImport',
    path: '/open/v1/forecasts/import/{import_id}',
    summary: 'Read an import',
    data: ForecastImport,
  }),
  route({
    id: 'listImportRows',
    path: '/open/v1/forecasts/import/{import_id}/rows',
    summary: 'List the rows of an import',
    description: 'The result of each row, in the order of the file, in pages.',
    query: ImportRowListQuery,
    data: ImportRowList,
  }),
  route({
    id: 'getFailedRows',
    path: '/open/v1/forecasts/import/{import_id}/failed-rows',
    summary: 'Get the failed rows as a spreadsheet',
    description:
      'The columns of the file, and `error`. Correct the rows and import the file: the column `error` is ignored. When a row fails, all rows of its forecast are here. The file has the format of the one that was imported, or that of `format`. In XLSX, every cell is a text: a spreadsheet program keeps long numbers and dates as they are.',
    query: FailedRowsQuery,
    data: 'binary',
  }),
  route({
    id: 'cancelImport',
    method: 'POST',
    path: '/open/v1/forecasts/import/{import_id}/cancel',
    summary: 'Cancel an import',
    description: 'Forecasts that are not submitted yet, except for a few under way, are not submitted. Accepted forecasts stay.',
    data: ForecastImport,
    repeat: 'Returns the cancelled import; a finished one is 40902.',
    errors: ['40902'],
  }),
];
