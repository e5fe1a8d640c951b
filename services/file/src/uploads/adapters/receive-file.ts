import type { IncomingMessage } from 'node:http';
import { MAX_FILE_BYTES } from '@parcelway/contracts/file-api';
import { MultipartForm } from '@parcelway/http/multipart-form';
import { cleanFileName } from '../../domain/file-name.ts';
import type { IncomingFile } from '../../ports.ts';
import type { FileFaults, Recognise } from '../domain/accepted-file-type.ts';
import { type MemoryBudget, UploadStream } from './upload-stream.ts';

/** The field that says for how many seconds the URL of a file is valid. */
export const URL_EXPIRES_IN = 'url_expires_in';

/** What kind of file an endpoint takes. */
export interface Accepted {
  readonly recognise: Recognise;
  /** Judges the last bytes of the file; absent when any end will do. */
  readonly endFaults?: (tail: Buffer) => FileFaults;
  /** Room for keeping the content until `save` is done; absent when nobody needs it. */
  readonly budget?: MemoryBudget;
}

/**
 * Receives the file of a multipart upload as a stream and hands it to `save` as soon as its type is known.
 * @returns what `save` returns
 * @throws AppError 42204 no multipart form, no file or malformed; 41501 encoded; 42205 wrong type; 42206 too large; what `save` throws
 */
export async function receiveFile<T>(req: IncomingMessage, accepted: Accepted, save: (incoming: IncomingFile) => Promise<T>): Promise<T> {
  const form = new MultipartForm(req, MAX_FILE_BYTES, [URL_EXPIRES_IN]);
  let upload: UploadStream | undefined;
  try {
    const part = await form.file;
    const stream = new UploadStream({
      ...accepted,
      name: cleanFileName(part.name),
      maxBytes: MAX_FILE_BYTES,
      formComplete: form.complete,
      fields: form.fields,
    });
    upload = stream;
    part.stream.pipe(stream);
    form.complete.catch((error: Error) => stream.destroy(error));
    await stream.recognised;
    return await save(stream);
  } finally {
    form.detach();
    upload?.destroy();
    upload?.releaseKept();
  }
}
