import type { UploadedFile, UploadedImage } from '@parcelway/contracts/file-api';
import type { OwnFile } from '@parcelway/contracts/own-files-api';
import type { Call, Client } from '@parcelway/page/api/client';
import { type PageRequest, pageOf } from '@parcelway/page/data/paging';

/** Milliseconds that an upload of 10 or 20 MB may take on a slow line. */
const UPLOAD_DEADLINE_MS = 300_000;
/** Largest PDF and largest image. */
export const MAX_FILE_BYTES = 10_485_760;
const FILES_PER_PAGE = 25;
/** Largest page of files. */
export const MAX_PAGE_SIZE = 100;

const uploadTo = <T>(client: Client, kind: 'pdf' | 'image', file: File, options: Pick<Call, 'signal'> = {}): Promise<T> => {
  const upload = { content: file, name: file.name };
  return client.call(`/open/v1/files/${kind}`, { method: 'POST', upload, deadlineMs: UPLOAD_DEADLINE_MS, ...options });
};

/** Uploads a PDF; its `url` is what a forecast names. @param options `signal` aborts the upload */
export const uploadPdf = (client: Client, file: File, options?: Pick<Call, 'signal'>) =>
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

export const IMPORTS = '/open/v1/forecasts/import';
export const IMPORT = `${IMPORTS}/{import_id}`;
export const ROWS_PER_PAGE = 25;
/** Title of a column → name of the field that it fills, or null to ignore it. */
export type Mapping = Readonly<Record<string, string | null>>;

/** Sends a spreadsheet. Columns that the mapping does not name are mapped by their titles. */
export function sendSpreadsheet<T>(
  client: Client,
  path: string,
  file: File,
  mapping: Mapping,
  call: Call & { readonly validateOnly?: boolean },
): Promise<T> {
  const { validateOnly, ...options } = call;
  const fields = { mapping: JSON.stringify(mapping), ...(validateOnly === undefined ? {} : { validate_only: String(validateOnly) }) };
  return client.call(path, {
    method: 'POST',
    upload: { content: file, name: file.name, fields },
    deadlineMs: UPLOAD_DEADLINE_MS,
    ...options,
  });
}
