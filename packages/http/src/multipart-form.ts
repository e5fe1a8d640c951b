import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { AppError } from '@parcelway/kernel/app-error';

/** Room for boundaries, part headers and ignored fields beside the file. */
const MAX_OVERHEAD_BYTES = 1024 * 1024;
const FILE_BUFFER_BYTES = 256 * 1024;

/** Room for the value of a field that a route reads. */
const MAX_FIELD_BYTES = 64 * 1024;

/** What is ignored is not collected. */
const LIMITS = { fieldSize: MAX_FIELD_BYTES, parts: 100, headerPairs: 50, headerSize: 16 * 1024 };

/** The part `file` of a form. */
export interface FilePart {
  /** As the client wrote it, without folders. */
  readonly name: string;
  readonly stream: Readable;
}

function malformed(cause?: unknown): AppError {
  return new AppError('42204', 'The multipart body is malformed or ended early', { cause });
}

function openParser(req: IncomingMessage): BusboyInstance {
  const contentType = req.headers['content-type'];
  // Whatever else the body is, it has no field file (specification, endpoint 2, rule 2).
  if (contentType === undefined || !/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw new AppError('42204', 'Send the file as multipart/form-data in the field "file"');
  }
  if ((req.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
    throw new AppError('41501', 'Send the body without Content-Encoding');
  }
  try {
    return new Busboy({
      headers: req.headers as BusboyHeaders,
      limits: LIMITS,
      fileHwm: FILE_BUFFER_BYTES,
      highWaterMark: FILE_BUFFER_BYTES,
    });
  } catch (error) {
    throw malformed(error); // no boundary in the media type
  }
}

/**
 * A multipart form that is being received. Of interest are the first part `file`, and the fields that a route names; other fields and further
 * files are read over. It never holds more than its buffers and these fields.
 */
export class MultipartForm {
  /** Resolves with the first file part named `file`; rejects with 42204 when the form has none. */
  readonly file: Promise<FilePart>;
  /** Resolves when the closing boundary has come; rejects with 42204 when the form is malformed or ends early. */
  readonly complete: Promise<void>;
  /** Values of the named fields that have come, the first of each name; all of them once {@link complete} has resolved. */
  readonly fields: ReadonlyMap<string, string>;
  readonly #req: IncomingMessage;
  readonly #parser: BusboyInstance;
  readonly #maxBytes: number;
  #received = 0;
  #isComplete = false;
  #fail: (error: AppError) => void = () => undefined;

  /**
   * @param maxFileBytes the whole body may have this and a little more
   * @param fieldNames fields beside the file that are kept; one of more than 64 KB makes the form malformed
   * @throws AppError 41501, 42204
   */
  constructor(req: IncomingMessage, maxFileBytes: number, fieldNames: readonly string[] = []) {
    this.#req = req;
    this.#parser = openParser(req);
    this.fields = this.#collectFields(fieldNames);
    this.#maxBytes = maxFileBytes + MAX_OVERHEAD_BYTES;
    this.complete = this.#completion();
    this.file = this.#firstFile();
    this.complete.catch(() => undefined); // each has its own reader; neither must end the process when it has none yet
    this.file.catch(() => undefined);
    req.on('data', this.#count).once('close', this.#onClose).on('error', this.#onClose);
    req.pipe(this.#parser);
  }

  /** Stops receiving. The rest of the body is left to whoever responds to the request. */
  detach(): void {
    this.#req.off('data', this.#count).off('close', this.#onClose);
    this.#req.unpipe(this.#parser);
    if (!this.#isComplete) this.#fail(malformed());
  }

  readonly #count = (chunk: Buffer): void => {
    this.#received += chunk.length;
    if (this.#received <= this.#maxBytes) return;
    this.#req.unpipe(this.#parser);
    this.#fail(new AppError('42206', 'The form is larger than a file may be', { headers: { Connection: 'close' } }));
  };

  readonly #onClose = (): void => {
    if (!this.#req.complete) this.#fail(malformed());
  };

  #completion(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#parser.once('finish', () => {
        this.#isComplete = true;
        resolve();
      });
      // Stays for good: the parser may report more than one error, and an unheard one ends the process.
      this.#parser.on('error', (error) => reject(malformed(error)));
    });
  }

  #collectFields(names: readonly string[]): ReadonlyMap<string, string> {
    const fields = new Map<string, string>();
    this.#parser.on('field', (name: string, value: string, _nameCut: boolean, isCut: boolean) => {
      if (!names.includes(name) || fields.has(name)) return;
      if (isCut) this.#fail(malformed());
      else fields.set(name, value);
    });
    return fields;
  }

  #firstFile(): Promise<FilePart> {
    return new Promise((resolve, reject) => {
      let found = false;
      this.#parser.on('file', (field: string | undefined, stream: Readable, name: string | undefined) => {
        stream.on('error', () => undefined); // the form itself reports it; unheard, it would end the process
        // A form sent with no file chosen has a part with an empty name.
        if (found || field !== 'file' || name === '') return void stream.resume();
        found = true;
        resolve({ name: name ?? '', stream });
      });
      this.complete.then(() => {
        if (!found) reject(new AppError('42204', 'The form has no file in the field "file"'));
      }, reject);
    });
  }
}
