import type { UploadedFile, UploadedImage } from '@parcelway/contracts/file-api';
import type { Client } from '@parcelway/page/api/client';

/** Milliseconds that an upload of 10 or 20 MB may take on a slow line. */
export const UPLOAD_DEADLINE_MS = 300_000;

/** Largest PDF and largest image. */
export const MAX_FILE_BYTES = 10_485_760;

/** Uploads a PDF; its `url` is what a forecast names. */
export function uploadPdf(client: Client, file: File): Promise<UploadedFile> {
  return client.call('/open/v1/files/pdf', { method: 'POST', upload: { content: file, name: file.name }, deadlineMs: UPLOAD_DEADLINE_MS });
}

/** Uploads an image, to be put on a forecast. */
export function uploadImage(client: Client, file: File): Promise<UploadedImage> {
  return client.call('/open/v1/files/image', {
    method: 'POST',
    upload: { content: file, name: file.name },
    deadlineMs: UPLOAD_DEADLINE_MS,
  });
}
