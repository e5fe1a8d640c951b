import type { UploadedFile, UploadedImage } from '@parcelway/contracts/file-api';
import type { ForecastImport, ForecastImportPreview, ImportRow } from '@parcelway/contracts/import-api';
import type { OwnFile } from '@parcelway/contracts/own-files-api';
import { type Call, type Client, type FileClient, pathOf } from '@parcelway/page/api/client';
import { type PageRequest, pageOf } from './paging.ts';

/** Milliseconds that an upload of 10 or 20 MB may take on a slow line. */
const UPLOAD_DEADLINE_MS = 300_000;
/** Largest PDF and largest image. */
export const MAX_FILE_BYTES = 10_485_760;
const FILES_PER_PAGE = 25;
/** Largest page of files. */
export const MAX_PAGE_SIZE = 100;

const uploadTo = <T>(client: Client, kind: 'pdf' | 'image', file: File, options: Pick<Call, 'signal' | 'onRate'> = {}): Promise<T> => {
  const upload = { content: file, name: file.name };
  return client.call(`/open/v1/files/${kind}`, { method: 'POST', upload, deadlineMs: UPLOAD_DEADLINE_MS, ...options });
};

/** Uploads a PDF; its `url` is what a forecast names. @param options `signal` aborts the upload, `onRate` receives the remaining rate */
export const uploadPdf = (client: Client, file: File, options?: Pick<Call, 'signal' | 'onRate'>) =>
  uploadTo<UploadedFile>(client, 'pdf', file, options);
export const uploadImage = (client: Client, file: File) => uploadTo<UploadedImage>(client, 'image', file);

/** What a list of files is narrowed to; undefined for no condition. */
interface FileFilter {
  /** `true` for files that a parcel names, `false` for the others. */
  readonly used: string | undefined;
  readonly createdFrom: string | undefined;
}

/** Lists files, newest first. @param at `limit` at most {@link MAX_PAGE_SIZE}; default {@link FILES_PER_PAGE} */
export const listFiles = (client: Client, { used, createdFrom }: FileFilter, at: PageRequest & { readonly limit?: number }) =>
  pageOf<OwnFile>(client, '/open/v1/files', 'files', { used, created_from: createdFrom, limit: FILES_PER_PAGE, ...at });

/** Deletes a PDF that no parcel names. @throws ApiFailure 40902 when one names it */
export const deleteFile = (client: Client, attachmentId: number) =>
  client.call<unknown>(pathOf('/open/v1/files/{attachment_id}', String(attachmentId)), { method: 'DELETE' });

const IMPORTS = '/open/v1/forecasts/import';
const IMPORT = `${IMPORTS}/{import_id}`;
const ROWS_PER_PAGE = 25;
/** Milliseconds that the file of 50,000 failed rows may take. */
const DOWNLOAD_DEADLINE_MS = 120_000;
/** Title of a column → name of the field that it fills, or null to ignore it. */
export type Mapping = Readonly<Record<string, string | null>>;

interface Spreadsheet {
  readonly file: File;
  /** Columns that are not named are mapped by their titles. */
  readonly mapping: Mapping;
}

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

/** A page of imports, newest first. */
export const listImports = (client: Client, at: PageRequest) =>
  pageOf<ForecastImport>(client, IMPORTS, 'imports', { ...at, limit: ROWS_PER_PAGE });
/** One import. @throws ApiFailure 40403 when there is none */
export const getImport = (client: Client, id: string, signal: AbortSignal) => client.call<ForecastImport>(pathOf(IMPORT, id), { signal });

/** A page of rows in the order of the file. @param query `state` empty for every result */
export const listRows = (client: Client, id: string, at: PageRequest & { readonly state: string }) =>
  pageOf<ImportRow>(client, pathOf(`${IMPORT}/rows`, id), 'rows', { ...at, limit: ROWS_PER_PAGE });

type SpreadsheetFormat = 'csv' | 'xlsx';

export const formatOf = ({ file_name: name }: Pick<ForecastImport, 'file_name'>): SpreadsheetFormat =>
  name.toLowerCase().endsWith('.xlsx') ? 'xlsx' : 'csv';

export const downloadFailedRows = (client: FileClient, id: string, format: SpreadsheetFormat) =>
  client.download(pathOf(`${IMPORT}/failed-rows`, id), { query: { format }, deadlineMs: DOWNLOAD_DEADLINE_MS });

export const downloadTemplate = (client: FileClient, kind: SpreadsheetFormat) => client.download(`${IMPORTS}/template.${kind}`);
/** Stops an import; what was accepted stays. @throws ApiFailure 40902 when it has finished */
export const cancelImport = (client: Client, id: string) => client.call<ForecastImport>(pathOf(`${IMPORT}/cancel`, id), { method: 'POST' });
