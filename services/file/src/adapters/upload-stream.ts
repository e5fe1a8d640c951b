import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { AppError } from '@parcelway/kernel/app-error';
import { type FileKind, HEAD_BYTES, type Recognise } from '../domain/file-kind.ts';
import type { ContentDigest } from '../domain/stored-file.ts';
import type { IncomingFile } from '../ports.ts';

/** Held between the network and the disk; more lets the disk write in larger pieces, each upload may take it. */
const BUFFER_BYTES = 512 * 1024;

/** What an {@link UploadStream} checks. */
export interface UploadRules {
  readonly name: string;
  readonly recognise: Recognise;
  /** A byte more fails the stream with 42206. */
  readonly maxBytes: number;
  /** Sentence for 42205. */
  readonly typeMessage: string;
  /** Resolves when the form around the file has proved well-formed. The content does not end before. */
  readonly formComplete: Promise<void>;
}

interface Settle {
  resolve(kind: FileKind): void;
  reject(error: unknown): void;
}

/**
 * The content of an uploaded file, passed on without a copy: recognised by its first bytes, counted, hashed and limited
 * on the way. Fails with the AppError that refuses the upload.
 */
export class UploadStream extends Transform implements IncomingFile {
  readonly name: string;
  /** Resolves once the type is known; rejects with 42205 or whatever else refused the upload before. */
  readonly recognised: Promise<FileKind>;
  refusal: AppError | undefined;
  readonly #rules: UploadRules;
  readonly #hash = createHash('md5');
  readonly #settle: Settle;
  #kind: FileKind | undefined;
  /** Chunks that wait for the type to be known. */
  #head: Buffer[] = [];
  #size = 0;
  #md5 = '';
  #check: (digest: ContentDigest) => Promise<void> = async () => undefined;

  constructor(rules: UploadRules) {
    super({ highWaterMark: BUFFER_BYTES });
    this.name = rules.name;
    this.#rules = rules;
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

  get content(): this {
    return this;
  }

  digest(): ContentDigest {
    return { size: this.#size, md5: this.#md5 };
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
    if (this.#size > this.#rules.maxBytes) {
      throw new AppError('42206', `The file is larger than ${this.#rules.maxBytes} bytes`, { headers: { Connection: 'close' } });
    }
    this.#hash.update(chunk);
    if (this.#head.length === 0) this.push(chunk);
    else if (this.#kind !== undefined) this.#pushHead();
  }

  async #end(): Promise<void> {
    if (this.#kind === undefined) this.#recognise();
    this.#pushHead();
    this.#md5 = this.#hash.digest('hex');
    await this.#rules.formComplete;
    await this.#check(this.digest());
  }

  #recognise(): void {
    const head = this.#head.length === 1 ? (this.#head[0] as Buffer) : Buffer.concat(this.#head);
    this.#kind = this.#rules.recognise(this.name, head.subarray(0, HEAD_BYTES));
    if (!this.#kind) throw new AppError('42205', this.#rules.typeMessage);
    this.#settle.resolve(this.#kind);
  }

  #pushHead(): void {
    for (const chunk of this.#head) this.push(chunk);
    this.#head = [];
  }
}
