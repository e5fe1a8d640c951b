import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import { MAX_IMPORT_BYTES } from '@parcelway/contracts/import-limits';
import type { ClaimKey } from '@parcelway/http/idempotency';
import { seedOf } from '@parcelway/http/idempotency';
import { MultipartForm } from '@parcelway/http/multipart-form';
import { AppError } from '@parcelway/kernel/app-error';
import { parseMapping } from '../domain/map-columns.ts';
import { cleanSpreadsheetName, kindOfFile } from '../domain/spreadsheet-kind.ts';
import type { ImportChoice } from '../import-store.ts';
import type { SpreadsheetKind } from '../ports.ts';
import type { IncomingSpreadsheet } from '../start-import.ts';

const FIELDS = ['mapping', 'validate_only'];
/** Enough to recognise a file. */
const HEAD_BYTES = 8;

/** Ends an upload whose response was sent before. Never leaves this file. */
class Replayed extends Error {}

/** What the form says. @throws AppError 42201 */
function choiceOf(fields: ReadonlyMap<string, string>): ImportChoice {
  const validateOnly = fields.get('validate_only') ?? 'false';
  if (!/^(true|false)$/.test(validateOnly)) {
    throw AppError.validation([{ field: 'validate_only', rule: 'enum', message: 'validate_only must be true or false' }]);
  }
  return { mapping: parseMapping(fields.get('mapping')), validateOnly: validateOnly === 'true' };
}

interface UploadRules {
  readonly form: MultipartForm;
  readonly claim: ClaimKey | undefined;
  readonly seed: () => string | undefined;
  readonly name: string;
  readonly kind: SpreadsheetKind;
}

/** The content of an uploaded spreadsheet: limited, hashed, and held to its kind on the way. It ends once the whole form has proved well-formed. */
class SpreadsheetUpload extends Transform implements IncomingSpreadsheet {
  readonly name: string;
  readonly kind: SpreadsheetKind;
  readonly hasKey: boolean;
  readonly #rules: UploadRules;
  readonly #hash = createHash('sha256');
  #head = Buffer.alloc(0);
  #size = 0;
  #sha256: string | undefined;
  #choice: ImportChoice | undefined;

  constructor(rules: UploadRules) {
    super({ highWaterMark: 256 * 1024 });
    this.name = rules.name;
    this.kind = rules.kind;
    this.hasKey = rules.claim !== undefined;
    this.#rules = rules;
    this.on('error', () => undefined); // whoever reads the content hears of it
  }

  get content(): this {
    return this;
  }

  sha256(): string {
    if (this.#sha256 === undefined) throw new Error('The upload has not ended yet');
    return this.#sha256;
  }

  choice(): ImportChoice {
    if (this.#choice === undefined) throw new Error('The upload has not ended yet');
    return this.#choice;
  }

  seed(): string | undefined {
    return this.#rules.seed();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, callback: TransformCallback): void {
    this.#size += chunk.length;
    if (this.#size > MAX_IMPORT_BYTES) {
      callback(new AppError('42206', `The file is larger than ${MAX_IMPORT_BYTES} bytes`, { headers: { Connection: 'close' } }));
      return;
    }
    if (this.#head.length < HEAD_BYTES) this.#head = Buffer.concat([this.#head, chunk.subarray(0, HEAD_BYTES)]);
    this.#hash.update(chunk);
    callback(null, chunk);
  }

  override _flush(callback: TransformCallback): void {
    this.#end().then(() => callback(), callback);
  }

  async #end(): Promise<void> {
    const { form, claim, name, kind } = this.#rules;
    if (kindOfFile(name, this.#head) !== kind) throw new AppError('42205', 'The content of the file does not match its name');
    this.#sha256 = this.#hash.digest('hex');
    await form.complete;
    this.#choice = choiceOf(form.fields);
    if (claim && !(await claim(`${this.#sha256} ${name} ${JSON.stringify(this.#choice)}`))) throw new Replayed();
  }
}

/**
 * Receives the spreadsheet of a multipart upload as a stream and hands it to `save`.
 * @param claim of the idempotency key, when the request has one
 * @returns what `save` returns; undefined when the response of an earlier attempt has been sent
 * @throws AppError 41501, 42204, 42205, 42206; 42201 for a wrong field; what `save` throws
 */
export async function receiveSpreadsheet<T>(
  req: IncomingMessage,
  claim: ClaimKey | undefined,
  save: (incoming: IncomingSpreadsheet) => Promise<T>,
): Promise<T | undefined> {
  const form = new MultipartForm(req, MAX_IMPORT_BYTES, FIELDS);
  let upload: SpreadsheetUpload | undefined;
  let refusal: unknown;
  try {
    const part = await form.file;
    const name = cleanSpreadsheetName(part.name);
    const kind = kindOfFile(name);
    const stream = new SpreadsheetUpload({ form, claim, seed: () => seedOf(req), name, kind });
    upload = stream;
    stream.once('error', (error) => {
      refusal = error;
    });
    part.stream.pipe(stream);
    form.complete.catch((error: Error) => stream.destroy(error));
    return await save(stream);
  } catch (error) {
    if (refusal instanceof Replayed) return undefined;
    throw refusal instanceof AppError ? refusal : error;
  } finally {
    form.detach();
    upload?.destroy();
  }
}
