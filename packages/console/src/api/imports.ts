import type { ForecastImport, ForecastImportPreview, ImportRow } from '@parcelway/contracts/import-api';
import { type Client, type Download, type FileClient, pathOf } from '@parcelway/page/api/client';
import { UPLOAD_DEADLINE_MS } from './files.ts';
import type { Page } from './webhooks.ts';

const IMPORTS = '/open/v1/forecasts/import';
const IMPORT = `${IMPORTS}/{import_id}`;

/** Largest spreadsheet. */
export const MAX_SPREADSHEET_BYTES = 20_971_520;

/** Imports and rows a page. */
const PAGE_SIZE = 25;

/** Milliseconds that the file of 50,000 failed rows may take. */
const DOWNLOAD_DEADLINE_MS = 120_000;

/** Title of a column → name of the field that it fills, or null to ignore it. */
export type Mapping = Readonly<Record<string, string | null>>;

/** A spreadsheet with the fields that its columns fill. */
export interface Spreadsheet {
  readonly file: File;
  /** Columns that are not named are mapped by their titles. */
  readonly mapping: Mapping;
}

/** What a spreadsheet would become; nothing is stored. */
export function previewImport(client: Client, { file, mapping }: Spreadsheet, signal: AbortSignal): Promise<ForecastImportPreview> {
  const upload = { content: file, name: file.name, fields: { mapping: JSON.stringify(mapping) } };
  return client.call(`${IMPORTS}/preview`, { method: 'POST', upload, deadlineMs: UPLOAD_DEADLINE_MS, signal });
}

/** What an import is started with. */
export interface ImportStart extends Spreadsheet {
  /** True checks every forecast and submits none. */
  readonly validateOnly: boolean;
  /** Makes a repeat return the same import. */
  readonly idempotencyKey: string;
}

/** Starts an import; it runs on after the response. */
export function startImport(client: Client, { file, mapping, validateOnly, idempotencyKey }: ImportStart): Promise<ForecastImport> {
  const fields = { mapping: JSON.stringify(mapping), validate_only: String(validateOnly) };
  const upload = { content: file, name: file.name, fields };
  return client.call(IMPORTS, { method: 'POST', upload, idempotencyKey, deadlineMs: UPLOAD_DEADLINE_MS });
}

/** A page of imports, newest first. */
export async function listImports(client: Client, cursor: string | undefined, signal: AbortSignal): Promise<Page<ForecastImport>> {
  const query = { cursor, limit: PAGE_SIZE };
  const found = await client.call<{ imports: ForecastImport[]; next_cursor: string | null }>(IMPORTS, { query, signal });
  return { items: found.imports, next: found.next_cursor };
}

/** One import. @throws ApiFailure 40403 when there is none */
export function getImport(client: Client, id: string, signal: AbortSignal): Promise<ForecastImport> {
  return client.call(pathOf(IMPORT, id), { signal });
}

/** A page of rows in the order of the file. @param query `state` empty for every result */
export async function listRows(
  client: Client,
  id: string,
  { state, cursor, signal }: { readonly state: string; readonly cursor: string | undefined; readonly signal: AbortSignal },
): Promise<Page<ImportRow>> {
  const query = { state, cursor, limit: PAGE_SIZE };
  const found = await client.call<{ rows: ImportRow[]; next_cursor: string | null }>(pathOf(`${IMPORT}/rows`, id), { query, signal });
  return { items: found.rows, next: found.next_cursor };
}

/** Formats of spreadsheets. */
export type SpreadsheetFormat = 'csv' | 'xlsx';

/** The format of the file that was imported. */
export function formatOf({ file_name: name }: Pick<ForecastImport, 'file_name'>): SpreadsheetFormat {
  return name.toLowerCase().endsWith('.xlsx') ? 'xlsx' : 'csv';
}

/** Every row of a failed forecast with the reason, as a spreadsheet that can be imported once it is corrected. */
export function downloadFailedRows(client: FileClient, id: string, format: SpreadsheetFormat): Promise<Download> {
  return client.download(pathOf(`${IMPORT}/failed-rows`, id), { query: { format }, deadlineMs: DOWNLOAD_DEADLINE_MS });
}

/** A spreadsheet to fill in. */
export function downloadTemplate(client: FileClient, kind: SpreadsheetFormat): Promise<Download> {
  return client.download(`${IMPORTS}/template.${kind}`);
}

/** Stops an import; what was accepted stays. @throws ApiFailure 40902 when it has finished */
export function cancelImport(client: Client, id: string): Promise<ForecastImport> {
  return client.call(pathOf(`${IMPORT}/cancel`, id), { method: 'POST' });
}
