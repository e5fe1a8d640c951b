import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';
import { MAX_IMPORT_BYTES } from '@parcelway/contracts/import-limits';
import type { ClaimKey } from '@parcelway/http/idempotency';
import { seedOf } from '@parcelway/http/idempotency';
import { MultipartForm } from '@parcelway/http/multipart-form';
import { AppError } from '@parcelway/kernel/app-error';
import { parseMapping } from '../domain/map-columns.ts';
import { cleanSpreadsheetName, kindOfFile } from '../domain/spreadsheet-kind.ts';
import type { ImportChoice } from '../import-store.ts';
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

/** The content of an uploaded spreadsheet: limited, hashed, and held to its kind on the way. It ends once the whole form has proved well-formed. */
function uploadOf(form: MultipartForm, claim: ClaimKey | undefined, req: IncomingMessage, name: string) {
  const kind = kindOfFile(name);
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  let size = 0;
  let ended: { readonly sha256: string; readonly choice: ImportChoice } | undefined;
  const end = async (): Promise<void> => {
    if (kindOfFile(name, head) !== kind) throw new AppError('42205', 'The content of the file does not match its name');
    const sha256 = hash.digest('hex');
    await form.complete;
    ended = { sha256, choice: choiceOf(form.fields) };
    if (claim && !(await claim(`${sha256} ${name} ${JSON.stringify(ended.choice)}`))) throw new Replayed();
  };
  const content = new Transform({
    highWaterMark: 256 * 1024,
    transform(chunk: Buffer, _encoding, callback) {
      size += chunk.length;
      if (size > MAX_IMPORT_BYTES) {
        callback(new AppError('42206', `The file is larger than ${MAX_IMPORT_BYTES} bytes`, { headers: { Connection: 'close' } }));
        return;
      }
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
      hash.update(chunk);
      callback(null, chunk);
    },
    flush: (callback) => void end().then(() => callback(), callback),
  });
  return {
    name,
    kind,
    hasKey: claim !== undefined,
    content,
    ended() {
      if (ended === undefined) throw new Error('The upload has not ended yet');
      return { ...ended, seed: seedOf(req) };
    },
  } satisfies IncomingSpreadsheet;
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
  let content: Transform | undefined;
  let refusal: unknown;
  try {
    const part = await form.file;
    const upload = uploadOf(form, claim, req, cleanSpreadsheetName(part.name));
    content = upload.content;
    content.on('error', (error) => {
      refusal ??= error;
    });
    part.stream.pipe(content);
    form.complete.catch((error: Error) => content?.destroy(error));
    return await save(upload);
  } catch (error) {
    if (refusal instanceof Replayed) return undefined;
    throw refusal instanceof AppError ? refusal : error;
  } finally {
    form.detach();
    content?.destroy();
  }
}
