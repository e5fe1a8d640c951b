// Made from the contract by `npm run docs`; do not edit.
import type { FailedRowsQuery, ForecastImport, ForecastImportList, ForecastImportListQuery, ForecastImportPreview, ImportRowList, ImportRowListQuery } from './import-api.ts';
import type { Content, ImportUpload } from '../content.ts';

/** What each route of "Imports" takes and gives. */
export interface ImportsRoutes {
  /** Import forecasts from a spreadsheet: `POST /open/v1/forecasts/import` */
  readonly importForecasts: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: ImportUpload;
    readonly data: ForecastImport;
  };
  /** List imports: `GET /open/v1/forecasts/import` */
  readonly listImports: {
    readonly path: undefined;
    readonly query: ForecastImportListQuery;
    readonly body: undefined;
    readonly data: ForecastImportList;
  };
  /** Preview an import: `POST /open/v1/forecasts/import/preview` */
  readonly previewImport: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: ImportUpload;
    readonly data: ForecastImportPreview;
  };
  /** Get a template as CSV: `GET /open/v1/forecasts/import/template.csv` */
  readonly getImportTemplateCsv: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly data: Content;
  };
  /** Get a template as XLSX: `GET /open/v1/forecasts/import/template.xlsx` */
  readonly getImportTemplateXlsx: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly data: Content;
  };
  /** Read an import: `GET /open/v1/forecasts/import/{import_id}` */
  readonly getImport: {
    readonly path: { readonly import_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: ForecastImport;
  };
  /** List the rows of an import: `GET /open/v1/forecasts/import/{import_id}/rows` */
  readonly listImportRows: {
    readonly path: { readonly import_id: string };
    readonly query: ImportRowListQuery;
    readonly body: undefined;
    readonly data: ImportRowList;
  };
  /** Get the failed rows as a spreadsheet: `GET /open/v1/forecasts/import/{import_id}/failed-rows` */
  readonly getFailedRows: {
    readonly path: { readonly import_id: string };
    readonly query: FailedRowsQuery;
    readonly body: undefined;
    readonly data: Content;
  };
  /** Cancel an import: `POST /open/v1/forecasts/import/{import_id}/cancel` */
  readonly cancelImport: {
    readonly path: { readonly import_id: string };
    readonly query: undefined;
    readonly body: undefined;
    readonly data: ForecastImport;
  };
}
