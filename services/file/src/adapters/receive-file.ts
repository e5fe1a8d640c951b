import type { IncomingMessage } from 'node:http';
import { MAX_FILE_BYTES } from '@parcelway/contracts/file-api';
import type { Recognise } from '../domain/file-kind.ts';
import { cleanFileName } from '../domain/file-name.ts';
import type { IncomingFile } from '../ports.ts';
import { MultipartForm } from './multipart-form.ts';
import { UploadStream } from './upload-stream.ts';

/** What kind of file an endpoint takes. */
export interface Accepted {
  readonly recognise: Recognise;
  /** Sentence for 42205. */
  readonly typeMessage: string;
}

/**
 * Receives the file of a multipart upload as a stream and hands it to `save` as soon as its type is known.
 * @returns what `save` returns
 * @throws AppError 41501 not multipart; 42204 no file or malformed; 42205 wrong type; 42206 too large; what `save` throws
 */
export async function receiveFile<T>(req: IncomingMessage, accepted: Accepted, save: (incoming: IncomingFile) => Promise<T>): Promise<T> {
  const form = new MultipartForm(req, MAX_FILE_BYTES);
  let upload: UploadStream | undefined;
  try {
    const part = await form.file;
    const stream = new UploadStream({
      ...accepted,
      name: cleanFileName(part.name),
      maxBytes: MAX_FILE_BYTES,
      formComplete: form.complete,
    });
    upload = stream;
    part.stream.pipe(stream);
    form.complete.catch((error: Error) => stream.destroy(error));
    await stream.recognised;
    return await save(stream);
  } finally {
    form.detach();
    upload?.destroy();
  }
}
