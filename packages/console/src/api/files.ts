import type { UploadedFile, UploadedImage } from '@parcelway/contracts/file-api';
import type { OwnFile } from '@parcelway/contracts/own-files-api';
import { type Call, type Client, pathOf } from '@parcelway/page/api/client';
import type { Page } from './webhooks.ts';

/** Milliseconds that an upload of 10 or 20 MB may take on a slow line. */
export const UPLOAD_DEADLINE_MS = 300_000;

/** Largest PDF and largest image. */
export const MAX_FILE_BYTES = 10_485_760;

/** Files of a page that is shown. */
const PAGE_SIZE = 25;
/** Most files of a page. */
export const MOST_OF_PAGE = 100;

/** Uploads a PDF; its `url` is what a forecast names. @param options `signal` aborts the upload, `onRate` takes what is left of the rate */
export function uploadPdf(client: Client, file: File, options: Pick<Call, 'signal' | 'onRate'> = {}): Promise<UploadedFile> {
  return client.call('/open/v1/files/pdf', {
    method: 'POST',
    upload: { content: file, name: file.name },
    deadlineMs: UPLOAD_DEADLINE_MS,
    ...options,
  });
}

/** Uploads an image, to be put on a forecast. */
export function uploadImage(client: Client, file: File): Promise<UploadedImage> {
  return client.call('/open/v1/files/image', {
    method: 'POST',
    upload: { content: file, name: file.name },
    deadlineMs: UPLOAD_DEADLINE_MS,
  });
}

/** What a list of files is narrowed to; undefined for no condition. */
export interface FileFilter {
  /** `true` for files that a parcel names, `false` for the others. */
  readonly used: string | undefined;
  /** Instant in RFC 3339. */
  readonly createdFrom: string | undefined;
}

/** A page of own PDFs, newest first. @param place `limit` at most {@link MOST_OF_PAGE}, default as many as are shown */
export async function listFiles(
  client: Client,
  { used, createdFrom }: FileFilter,
  { cursor, signal, limit = PAGE_SIZE }: { readonly cursor: string | undefined; readonly signal: AbortSignal; readonly limit?: number },
): Promise<Page<OwnFile>> {
  const query = { used, created_from: createdFrom, cursor, limit };
  const found = await client.call<{ files: OwnFile[]; next_cursor: string | null }>('/open/v1/files', { query, signal });
  return { items: found.files, next: found.next_cursor };
}

/** Deletes a PDF that no parcel names. @throws ApiFailure 40902 when one names it */
export function deleteFile(client: Client, attachmentId: number): Promise<unknown> {
  return client.call(pathOf('/open/v1/files/{attachment_id}', String(attachmentId)), { method: 'DELETE' });
}
