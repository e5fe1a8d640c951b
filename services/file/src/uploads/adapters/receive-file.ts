import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { MAX_FILE_BYTES } from '@parcelway/contracts/file-api';
import { MultipartForm } from '@parcelway/http/multipart-form';
import { AppError } from '@parcelway/kernel/app-error';
import type { FairShares } from '@parcelway/kernel/fair-shares';
import { cleanFileName } from '../../domain/file-name.ts';
import type { ContentDigest } from '../../domain/stored-file.ts';
import type { IncomingFile } from '../../ports.ts';
import { type FileFaults, type FileKind, HEAD_BYTES, isRefused, type Recognise, TAIL_BYTES } from '../domain/accepted-file-type.ts';

/** The field that says for how many seconds the URL of a file is valid. */
export const URL_EXPIRES_IN = 'url_expires_in';

/** Held between the network and the disk; more lets the disk write in larger pieces, each upload may take it. */
const BUFFER_BYTES = 512 * 1024;

/** What kind of file an endpoint takes. */
export interface Accepted {
  readonly recognise: Recognise;
  /** Judges the last {@link TAIL_BYTES} bytes; absent when any end will do. */
  readonly endFaults?: (tail: Buffer) => FileFaults;
  /** Bytes for keeping contents until `save` is done, and who takes of them; absent when nobody needs it. */
  readonly keeping?: { readonly bytes: FairShares; readonly holder: string };
}

/** 42205 that says what is wrong. */
function notAllowed(errors: FileFaults): AppError {
  const reasons = errors.map(({ message }) => message).join('; ');
  return new AppError('42205', `The file type is not allowed: ${reasons}`, { data: { errors } });
}

interface Settle {
  resolve(kind: FileKind): void;
  reject(error: unknown): void;
}

/**
 * The content of an uploaded file, passed on without a copy: recognised by its first bytes, counted, hashed and limited
 * on the way. Fails with the AppError that refuses the upload.
 */
class UploadStream extends Transform implements IncomingFile {
  readonly name: string;
  /** Resolves once the type is known; rejects with 42205 or whatever else refused the upload before. */
  readonly recognised: Promise<FileKind>;
  refusal: AppError | undefined;
  readonly #form: MultipartForm;
  readonly #accepted: Accepted;
  readonly #md5 = createHash('md5');
  readonly #sha256 = createHash('sha256');
  readonly #settle: Settle;
  #kind: FileKind | undefined;
  /** Chunks that wait for the type to be known. */
  #head: Buffer[] = [];
  #size = 0;
  #digest: ContentDigest | undefined;
  /** The last chunks, at least {@link TAIL_BYTES} bytes of them once so many have come. */
  #tail: Buffer = Buffer.alloc(0);
  /** All chunks; undefined when they are not kept. */
  #kept: Buffer[] | undefined;
  #keptBytes = 0;
  #check: (digest: ContentDigest) => Promise<void> = async () => undefined;

  /** @param form that the file is in: the content does not end before it has proved well-formed */
  constructor(form: MultipartForm, name: string, accepted: Accepted) {
    super({ highWaterMark: BUFFER_BYTES });
    this.name = name;
    this.#form = form;
    this.#accepted = accepted;
    this.#kept = accepted.keeping && [];
    const settle: Settle = { resolve: () => undefined, reject: () => undefined };
    this.recognised = new Promise((resolve, reject) => Object.assign(settle, { resolve, reject }));
    this.#settle = settle;
    this.recognised.catch(() => undefined); // whoever waits gets it; nobody waits once the type is known
    this.on('error', () => undefined); // a failure before a reader is attached is in `recognised` and `refusal`
  }

  get kind(): FileKind {
    if (!this.#kind) throw new Error('The upload is not recognised yet');
    return this.#kind;
  }

  get fields(): ReadonlyMap<string, string> {
    return this.#form.fields;
  }

  get content(): this {
    return this;
  }

  digest(): ContentDigest {
    if (!this.#digest) throw new Error('The upload has not ended yet');
    return this.#digest;
  }

  kept(): readonly Buffer[] | undefined {
    return this.#digest && this.#kept;
  }

  /** Gives back the memory that {@link kept} needs; what it returned stays usable. */
  releaseKept(): void {
    const { keeping } = this.#accepted;
    if (keeping && this.#keptBytes > 0) keeping.bytes.give(keeping.holder, this.#keptBytes);
    this.#keptBytes = 0;
    this.#kept = undefined;
  }

  beforeEnd(check: (digest: ContentDigest) => Promise<void>): void {
    this.#check = check;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    try {
      this.#pass(chunk);
      callback();
    } catch (error) {
      callback(error as Error);
    }
  }

  override _flush(callback: TransformCallback): void {
    this.#end().then(() => callback(), callback);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    if (error instanceof AppError) this.refusal ??= error;
    this.#settle.reject(error ?? new AppError('42204', 'The upload ended early'));
    callback(error);
  }

  #pass(chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#kind === undefined) {
      this.#head.push(chunk);
      if (this.#size >= HEAD_BYTES) this.#recognise();
    }
    if (this.#size > MAX_FILE_BYTES) {
      throw new AppError('42206', `The file is larger than ${MAX_FILE_BYTES} bytes`, { headers: { Connection: 'close' } });
    }
    this.#md5.update(chunk);
    this.#sha256.update(chunk);
    this.#tail = chunk.length >= TAIL_BYTES ? chunk.subarray(-TAIL_BYTES) : Buffer.concat([this.#tail, chunk]).subarray(-TAIL_BYTES);
    this.#keep(chunk);
    if (this.#head.length === 0) this.push(chunk);
    else if (this.#kind !== undefined) this.#pushHead();
  }

  async #end(): Promise<void> {
    if (this.#kind === undefined) this.#recognise();
    this.#pushHead();
    const faults = this.#accepted.endFaults?.(this.#tail) ?? [];
    if (faults.length > 0) throw notAllowed(faults);
    this.#digest = { size: this.#size, md5: this.#md5.digest('hex'), sha256: this.#sha256.digest('hex') };
    await this.#form.complete;
    await this.#check(this.digest());
  }

  #keep(chunk: Buffer): void {
    if (this.#kept === undefined) return;
    const { keeping } = this.#accepted;
    if (keeping?.bytes.take(keeping.holder, chunk.length)) {
      this.#kept.push(chunk);
      this.#keptBytes += chunk.length;
    } else this.releaseKept();
  }

  #recognise(): void {
    const head = this.#head.length === 1 ? (this.#head[0] as Buffer) : Buffer.concat(this.#head);
    const recognised = this.#accepted.recognise(this.name, head.subarray(0, HEAD_BYTES));
    if (isRefused(recognised)) throw notAllowed(recognised);
    this.#kind = recognised;
    this.#settle.resolve(recognised);
  }

  #pushHead(): void {
    for (const chunk of this.#head) this.push(chunk);
    this.#head = [];
  }
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
    const stream = new UploadStream(form, cleanFileName(part.name), accepted);
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
