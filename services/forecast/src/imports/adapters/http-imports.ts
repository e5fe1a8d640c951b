import { buffer } from 'node:stream/consumers';
import type { ForecastImport, ImportRow } from '@parcelway/contracts/import-api';
import { FailedRowsQuery, ForecastImportListQuery, ImportRowListQuery } from '@parcelway/contracts/import-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { principalOf, tenantOf } from '@parcelway/http/app';
import type { Idempotency } from '@parcelway/http/idempotency';
import { parseQuery } from '@parcelway/http/query';
import { sendOk } from '@parcelway/http/response';
import { invalidCursor, type SealedCursors } from '@parcelway/http/sealed-cursor';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Request, Router } from 'express';
import type { WarehouseStore } from '../../store/warehouse-store.ts';
import { csvLine } from '../domain/failed-rows.ts';
import { templateRows, templateTitles } from '../domain/template.ts';
import type { ImportRecord, StoredRow } from '../import-collections.ts';
import type { ImportStore } from '../import-store.ts';
import { type PreviewOptions, previewImport } from '../preview-import.ts';
import { type StartImportOptions, startImport } from '../start-import.ts';
import { sendFailedRows, sendFile } from './failed-rows-file.ts';
import { PreviewUploads } from './preview-uploads.ts';
import { receiveSpreadsheet } from './receive-spreadsheet.ts';
import { textSheet } from './writing/text-sheet.ts';

function importData(record: ImportRecord): ForecastImport {
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

function importRowData({ row, poNumber, state, forecastNo, errors, warnings }: StoredRow): ImportRow {
  return { row, po_number: poNumber || null, state, forecast_no: forecastNo, errors: [...errors], warnings: [...warnings] };
}

export interface ImportRoutesOptions extends PreviewOptions {
  readonly start: StartImportOptions;
  readonly store: ImportStore;
  readonly idempotency: Idempotency;
  /** Those of both lists. */
  readonly cursors: SealedCursors;
  readonly warehouses: Pick<WarehouseStore, 'some'>;
  readonly clock: Clock;
}

const LOOKED_AT_WAREHOUSES = 50;

const listQuery = compileValidator(ForecastImportListQuery);
const failedRowsQuery = compileValidator(FailedRowsQuery);
const rowQuery = compileValidator(ImportRowListQuery);

const limitOf = ({ limit }: { readonly limit?: string }): number => Number(limit ?? 50);

async function importOf({ store }: ImportRoutesOptions, req: Request): Promise<ImportRecord> {
  const found = await store.find({ tenantId: tenantOf(req), importId: String(req.params['import_id']) });
  if (found === undefined) throw new AppError('40403', 'The import does not exist');
  return found;
}

/** Rows of the template, with a warehouse that is in use. */
async function sampleRows({ warehouses, clock }: ImportRoutesOptions): Promise<ReturnType<typeof templateRows>> {
  const known = await warehouses.some(LOOKED_AT_WAREHOUSES);
  return templateRows(known.find(({ isOpen }) => isOpen)?.code ?? 'WH1', clock.now());
}

function templateRoutes(router: Router, options: ImportRoutesOptions): void {
  router.get('/open/v1/forecasts/import/template.csv', async (req, res) => {
    tenantOf(req);
    const lines = [templateTitles, ...(await sampleRows(options)).map((row) => row.map(String))].map(csvLine);
    sendFile(res, 'forecasts.csv', 'csv', Buffer.from(`\ufeff${lines.join('')}`));
  });
  router.get('/open/v1/forecasts/import/template.xlsx', async (req, res) => {
    tenantOf(req);
    sendFile(res, 'forecasts.xlsx', 'xlsx', await buffer(textSheet(templateTitles, [await sampleRows(options)])));
  });
}

function uploadRoutes(router: Router, options: ImportRoutesOptions): void {
  const { start, idempotency, clock } = options;
  const uploads = new PreviewUploads();
  router.post('/open/v1/forecasts/import', async (req, res) => {
    const uploader = { tenantId: tenantOf(req), keyId: principalOf(req).keyId, arrivedAt: clock.now() };
    const claim = idempotency.claimOf('importForecasts', tenantOf, req, res);
    const record = await receiveSpreadsheet(req, claim, (incoming) => startImport(start, uploader, incoming));
    if (record !== undefined) sendOk(res, importData(record), { status: 202 });
  });
  router.post('/open/v1/forecasts/import/preview', async (req, res) => {
    const tenantId = tenantOf(req);
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    await uploads.hold(tenantId, async (receive) => {
      const preview = await receiveSpreadsheet(req, undefined, async (incoming) => {
        const content = await receive(incoming.content);
        return previewImport(options, tenantId, { content, kind: incoming.kind, mapping: incoming.ended().choice.mapping }, gone.signal);
      });
      if (preview !== undefined) sendOk(res, preview);
    });
  });
}

/** The public routes of imports. They come before those of a po_number, which would take "import" for one. */
export function importRoutes(router: Router, options: ImportRoutesOptions): void {
  const { store, cursors, start, clock } = options;
  uploadRoutes(router, options);
  templateRoutes(router, options);
  router.get('/open/v1/forecasts/import', async (req, res) => {
    const tenantId = tenantOf(req);
    let before: string | undefined;
    const query = parseQuery<ForecastImportListQuery>(req, listQuery, {
      cursor(text) {
        before = /^imports (imp_[0-9a-f]+)$/.exec(cursors.open(tenantId, text) ?? '')?.[1];
        return before === undefined ? invalidCursor : undefined;
      },
    });
    const found = await store.list(tenantId, before, limitOf(query) + 1);
    const page = found.slice(0, limitOf(query));
    const last = found.length > page.length ? page.at(-1) : undefined;
    sendOk(res, { imports: page.map(importData), next_cursor: last ? cursors.seal(tenantId, `imports ${last.importId}`) : null });
  });
  router.get('/open/v1/forecasts/import/:import_id', async (req, res) => sendOk(res, importData(await importOf(options, req))));
  router.get('/open/v1/forecasts/import/:import_id/failed-rows', async (req, res) => {
    const { format } = parseQuery<FailedRowsQuery>(req, failedRowsQuery);
    const record = await importOf(options, req);
    await sendFailedRows(store, record, format ?? record.kind, res);
  });
  router.get('/open/v1/forecasts/import/:import_id/rows', async (req, res) => {
    const tenantId = tenantOf(req);
    const importId = String(req.params['import_id']);
    let after = 0;
    const query = parseQuery<ImportRowListQuery>(req, rowQuery, {
      cursor(text) {
        const [, known, row] = /^rows (imp_[0-9a-f]+) (\d{1,8})$/.exec(cursors.open(tenantId, text) ?? '') ?? [];
        after = Number(row);
        return known === importId ? undefined : invalidCursor;
      },
    });
    const record = await importOf(options, req);
    const limit = limitOf(query);
    const found = await store.rows(record, { ...(query.state === undefined ? {} : { state: query.state }), after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = found.length > page.length ? page.at(-1) : undefined;
    const nextCursor = last ? cursors.seal(tenantId, `rows ${importId} ${last.row}`) : null;
    sendOk(res, { rows: page.map(importRowData), next_cursor: nextCursor });
  });
  router.post('/open/v1/forecasts/import/:import_id/cancel', async (req, res) => {
    const record = await importOf(options, req);
    const isStopped = await store.finish(record, { state: 'cancelled', error: null, at: clock.now() });
    if (isStopped) await start.files.delete(record.fileKey);
    const now = await importOf(options, req);
    if (now.state !== 'cancelled')
      throw new AppError('40902', 'The import has finished already; accepted forecasts can be cancelled one by one');
    sendOk(res, importData(now));
  });
}
