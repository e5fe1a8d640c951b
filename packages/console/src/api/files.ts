import type { UploadedFile, UploadedImage } from '@parcelway/contracts/file-api';
import type { ForecastImport, ForecastImportPreview, ImportRow } from '@parcelway/contracts/import-api';
import type { OwnFile } from '@parcelway/contracts/own-files-api';
import { type Call, type Client, type Download, type FileClient, pathOf } from '@parcelway/page/api/client';
import type { Page } from './webhooks.ts';

/** Milliseconds that an upload of 10 or 20 MB may take on a slow line. */
const UPLOAD_DEADLINE_MS = 300_000;
export const MAX_FILE_BYTES = 10_485_760;
const FILES_A_PAGE = 25;
export const MOST_OF_PAGE = 100;

export function uploadPdf(client: Client, file: File, options: Pick<Call, 'signal' | 'onRate'> = {}): Promise<UploadedFile> {
  return client.call('/open/v1/files/pdf', {
    method: 'POST',
    upload: { content: file, name: file.name },
    deadlineMs: UPLOAD_DEADLINE_MS,
    ...options,
  });
}

export function uploadImage(client: Client, file: File): Promise<UploadedImage> {
  return client.call('/open/v1/files/image', {
    method: 'POST',
    upload: { content: file, name: file.name },
    deadlineMs: UPLOAD_DEADLINE_MS,
  });
}

interface FileFilter {
  /** `true` for files that a parcel names, `false` for the others. */
  readonly used: string | undefined;
  /** Instant in RFC 3339. */
  readonly createdFrom: string | undefined;
}

/** A page of own PDFs, newest first. @param place `limit` at most {@link MOST_OF_PAGE}, default as many as are shown */
export async function listFiles(
  client: Client,
  { used, createdFrom }: FileFilter,
  { cursor, signal, limit = FILES_A_PAGE }: { readonly cursor: string | undefined; readonly signal: AbortSignal; readonly limit?: number },
): Promise<Page<OwnFile>> {
  const query = { used, created_from: createdFrom, cursor, limit };
  const found = await client.call<{ files: OwnFile[]; next_cursor: string | null }>('/open/v1/files', { query, signal });
  return { items: found.files, next: found.next_cursor };
}

export function deleteFile(client: Client, attachmentId: number): Promise<unknown> {
  return client.call(pathOf('/open/v1/files/{attachment_id}', String(attachmentId)), { method: 'DELETE' });
}

const IMPORTS = '/open/v1/forecasts/import';
const IMPORT = `${IMPORTS}/{import_id}`;
export const MAX_SPREADSHEET_BYTES = 20_971_520;
const ROWS_A_PAGE = 25;

/** Milliseconds that the file of 50,000 failed rows may take. */
const DOWNLOAD_DEADLINE_MS = 120_000;

/** Title of a column → name of the field that it fills, or null to ignore it. */
export type Mapping = Readonly<Record<string, string | null>>;

interface Spreadsheet {
  readonly file: File;
  readonly mapping: Mapping;
}

/** What a spreadsheet would become; nothing is stored. */
export function previewImport(client: Client, { file, mapping }: Spreadsheet, signal: AbortSignal): Promise<ForecastImportPreview> {
  const upload = { content: file, name: file.name, fields: { mapping: JSON.stringify(mapping) } };
  return client.call(`${IMPORTS}/preview`, { method: 'POST', upload, deadlineMs: UPLOAD_DEADLINE_MS, signal });
}

interface ImportStart extends Spreadsheet {
  readonly validateOnly: boolean;
  readonly idempotencyKey: string;
}

export function startImport(client: Client, { file, mapping, validateOnly, idempotencyKey }: ImportStart): Promise<ForecastImport> {
  const fields = { mapping: JSON.stringify(mapping), validate_only: String(validateOnly) };
  const upload = { content: file, name: file.name, fields };
  return client.call(IMPORTS, { method: 'POST', upload, idempotencyKey, deadlineMs: UPLOAD_DEADLINE_MS });
}

export async function listImports(client: Client, cursor: string | undefined, signal: AbortSignal): Promise<Page<ForecastImport>> {
  const query = { cursor, limit: ROWS_A_PAGE };
  const found = await client.call<{ imports: ForecastImport[]; next_cursor: string | null }>(IMPORTS, { query, signal });
  return { items: found.imports, next: found.next_cursor };
}

export function getImport(client: Client, id: string, signal: AbortSignal): Promise<ForecastImport> {
  return client.call(pathOf(IMPORT, id), { signal });
}

export async function listRows(
  client: Client,
  id: string,
  { state, cursor, signal }: { readonly state: string; readonly cursor: string | undefined; readonly signal: AbortSignal },
): Promise<Page<ImportRow>> {
  const query = { state, cursor, limit: ROWS_A_PAGE };
  const found = await client.call<{ rows: ImportRow[]; next_cursor: string | null }>(pathOf(`${IMPORT}/rows`, id), { query, signal });
  return { items: found.rows, next: found.next_cursor };
}

type SpreadsheetFormat = 'csv' | 'xlsx';

export function formatOf({ file_name: name }: Pick<ForecastImport, 'file_name'>): SpreadsheetFormat {
  return name.toLowerCase().endsWith('.xlsx') ? 'xlsx' : 'csv';
}

/** Every row of a failed forecast with the reason, as a spreadsheet that can be imported once it is corrected. */
export function downloadFailedRows(client: FileClient, id: string, format: SpreadsheetFormat): Promise<Download> {
  return client.download(pathOf(`${IMPORT}/failed-rows`, id), { query: { format }, deadlineMs: DOWNLOAD_DEADLINE_MS });
}

export function downloadTemplate(client: FileClient, kind: SpreadsheetFormat): Promise<Download> {
  return client.download(`${IMPORTS}/template.${kind}`);
}

export function cancelImport(client: Client, id: string): Promise<ForecastImport> {
  return client.call(pathOf(`${IMPORT}/cancel`, id), { method: 'POST' });
}
