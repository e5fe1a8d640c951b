import type { Blobs } from '@parcelway/blobs/blobs';
import { type NamedDocument, readDocumentName } from '@parcelway/contracts/document-url';
import { readFileName } from '@parcelway/contracts/file-receipt';
import { MAX_URL_SECONDS, MIN_URL_SECONDS } from '@parcelway/contracts/own-files-api';
import { tenantOf, warehouseOf } from '@parcelway/http/app';
import type { ClaimKey, Idempotency } from '@parcelway/http/idempotency';
import { sendOk } from '@parcelway/http/response';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { FairShares, type FairSharesOptions } from '@parcelway/kernel/fair-shares';
import type { Logger } from '@parcelway/kernel/logger';
import type { Request, Response, Router } from 'express';
import type { PublicContents } from '../contents/content-records.ts';
import type { Documents } from '../documents/documents.ts';
import { documentPart } from '../documents/domain/forecast-documents.ts';
import { MAX_COPY_PAGES } from '../documents/domain/label-format.ts';
import { inlineDisposition } from '../domain/file-name.ts';
import type { StoredPhoto } from '../domain/stored-file.ts';
import type { ClaimUpload, IncomingFile } from '../ports.ts';
import { type Accepted, receiveFile, URL_EXPIRES_IN } from '../uploads/adapters/receive-file.ts';
import {
  expiryAfter,
  extensionOf,
  type Issuer,
  uploadedFileData,
  uploadedImageData,
  uploadedPhotoData,
} from '../uploads/adapters/represent-files.ts';
import { pdfEndFaults, recogniseImage, recognisePdf } from '../uploads/domain/accepted-file-type.ts';
import type { UploadedPdf } from '../uploads/upload-pdf.ts';
import { type ShownContent, sendContent } from './send-content.ts';

export interface FileRoutesOptions extends Issuer {
  readonly uploadPdf: (tenantId: string, incoming: IncomingFile, claim?: ClaimUpload) => Promise<UploadedPdf>;
  readonly uploadImage: (tenantId: string, incoming: IncomingFile, claim?: ClaimUpload) => Promise<StoredPhoto>;
  readonly uploadPhoto: (warehouseCode: string, incoming: IncomingFile, claim?: ClaimUpload) => Promise<StoredPhoto>;
  readonly idempotency: Idempotency;
  readonly contents: PublicContents;
  readonly documents: Pick<Documents, 'open'>;
  readonly blobs: Blobs;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Those by which a URL that expires may be made. */
  readonly fileSecrets: readonly string[];
  /** Of the URLs of documents. */
  readonly numberSecret: string;
}

const PDF_TYPE: Pick<Accepted, 'recognise' | 'endFaults'> = { recognise: recognisePdf, endFaults: pdfEndFaults };
const PHOTO: Accepted = { recognise: recogniseImage };

/** Contents that are kept for inspection have together at most so many bytes; further ones are stored without inspection. */
const KEPT_BYTES: FairSharesOptions = { capacity: 48 * 1024 * 1024, part: 2 };

const PHOTO_NAME = /^([A-Za-z0-9_-]{22})\.(jpg|png|webp)$/;

const SECOND_MS = 1000;

/**
 * When the URL of an upload ends, as its form asks for it; epoch milliseconds.
 * @throws AppError 42201
 */
function urlExpiry({ fields }: IncomingFile, now: number): number | undefined {
  const text = fields.get(URL_EXPIRES_IN);
  if (text === undefined) return undefined;
  const seconds = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  if (seconds >= MIN_URL_SECONDS && seconds <= MAX_URL_SECONDS) return expiryAfter(now, seconds);
  const message = `${URL_EXPIRES_IN} must be an integer from ${MIN_URL_SECONDS} to ${MAX_URL_SECONDS}; leave it out for a URL that never expires`;
  throw AppError.validation([{ field: URL_EXPIRES_IN, rule: 'range', message }]);
}

async function openFile(options: FileRoutesOptions, req: Request, res: Response): Promise<void> {
  const name = String(req.params.name);
  const named = readDocumentName(options.numberSecret, options.environment, name);
  if (named) return sendContent(options, req, res, await openDocument(options.documents, named, req.query.copies));
  const { tokens = [], expiresAt } = readFileName(options.fileSecrets, name) ?? {};
  const now = options.clock.now();
  if (expiresAt !== undefined && expiresAt <= now) throw new AppError('40403', 'The URL of the file has expired');
  const file = (await Promise.all(tokens.map((one) => options.contents.fileByToken(one)))).find((one) => one !== undefined);
  if (!file) throw new AppError('40403', 'The file does not exist');
  const shown = { storageKey: file.storageKey, size: file.size, mediaType: 'application/pdf', disposition: inlineDisposition(file.name) };
  const cache = expiresAt === undefined ? {} : { cacheSeconds: Math.floor((expiresAt - now) / SECOND_MS) };
  await sendContent(options, req, res, { ...shown, ...cache });
}

async function openPhoto(options: FileRoutesOptions, req: Request, res: Response): Promise<void> {
  const [, token, extension] = PHOTO_NAME.exec(String(req.params.name)) ?? [];
  const photo = token === undefined ? undefined : await options.contents.photoByToken(token);
  if (!photo || extensionOf(photo) !== extension) throw new AppError('40403', 'The photo does not exist');
  const { storageKey, size, mediaType } = photo;
  await sendContent(options, req, res, { storageKey, size, mediaType, disposition: inlineDisposition(`photo-${photo.id}.${extension}`) });
}

/**
 * As {@link receiveFile}, for an upload that may carry an idempotency key: it is known by its content, its file name and its field.
 * @returns undefined when the response of an earlier attempt has been sent
 */
async function receiveOnce<T>(
  req: Request,
  accepted: Accepted,
  claim: ClaimKey | undefined,
  save: (incoming: IncomingFile, once: ClaimUpload | undefined) => Promise<T>,
): Promise<T | undefined> {
  if (claim === undefined) return receiveFile(req, accepted, (incoming) => save(incoming, undefined));
  let isReplayed = false;
  try {
    return await receiveFile(req, accepted, (incoming) =>
      save(incoming, async ({ sha256 }) => {
        const field = incoming.fields.get(URL_EXPIRES_IN);
        isReplayed = !(await claim([sha256, incoming.name, ...(field === undefined ? [] : [field])].join(' ')));
        if (isReplayed) throw new Error('The upload has been replayed');
      }),
    );
  } catch (error) {
    if (isReplayed) return undefined;
    throw error;
  }
}

export function fileRoutes(router: Router, options: FileRoutesOptions): void {
  const bytes = new FairShares(KEPT_BYTES);
  router.post('/open/v1/files/pdf', async (req, res) => {
    const tenantId = tenantOf(req);
    const claim = options.idempotency.claimOf('uploadPdf', tenantOf, req, res);
    let expiresAt: number | undefined;
    const accepted: Accepted = { ...PDF_TYPE, keeping: { bytes, holder: tenantId } };
    const uploaded = await receiveOnce(req, accepted, claim, (incoming, once) =>
      options.uploadPdf(tenantId, incoming, async (digest) => {
        expiresAt = urlExpiry(incoming, options.clock.now());
        await once?.(digest);
      }),
    );
    if (uploaded !== undefined) sendOk(res, uploadedFileData(options, tenantId, uploaded, expiresAt));
  });
  router.post('/open/v1/files/image', async (req, res) => {
    const tenantId = tenantOf(req);
    const claim = options.idempotency.claimOf('uploadImage', tenantOf, req, res);
    const image = await receiveOnce(req, PHOTO, claim, (incoming, once) => options.uploadImage(tenantId, incoming, once));
    if (image !== undefined) sendOk(res, uploadedImageData(options, tenantId, image));
  });
  router.post('/warehouse/v1/photos', async (req, res) => {
    const warehouseCode = warehouseOf(req);
    const claim = options.idempotency.claimOf('uploadPhoto', warehouseOf, req, res);
    const photo = await receiveOnce(req, PHOTO, claim, (incoming, once) => options.uploadPhoto(warehouseCode, incoming, once));
    if (photo !== undefined) sendOk(res, uploadedPhotoData(options, warehouseCode, photo));
  });
  router.get('/files/:name', (req, res) => openFile(options, req, res));
  router.get('/photos/:name', (req, res) => openPhoto(options, req, res));
}

/** A violation of the query of a label's URL. */
const copiesFault = (rule: string, sentence: string): AppError =>
  AppError.validation([{ field: 'copies', rule, message: `copies ${sentence}` }]);

/**
 * The document that a URL opens.
 * @param copies of the query: `quantity` repeats each item's label by its quantity; a packing slip has no use for it
 * @throws AppError 42201 when `copies` has another value, or the label would have too many pages; as {@link Documents.open}
 */
export async function openDocument(documents: Pick<Documents, 'open'>, named: NamedDocument, copies: unknown): Promise<ShownContent> {
  const { kind } = named;
  const isRepeated = kind === 'label' && copies !== undefined;
  if (isRepeated && copies !== 'quantity') throw copiesFault('enum', 'must be quantity');
  const stored = await documents.open(named);
  const part = documentPart(stored, kind, isRepeated);
  if (!part) throw copiesFault('maximum', `would give more than ${MAX_COPY_PAGES} pages; print the label without it`);
  const { start, end, name } = part;
  return { storageKey: stored.storageKey, start, size: end - start, mediaType: 'application/pdf', disposition: inlineDisposition(name) };
}
