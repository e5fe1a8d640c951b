import type { Blobs } from '@parcelway/blobs/blobs';
import { summariseBarcodes } from '@parcelway/contracts/barcode-readings';
import type { Environment } from '@parcelway/contracts/environment';
import type { UploadedFile, UploadedPhoto } from '@parcelway/contracts/file-api';
import type { FileFindings } from '@parcelway/contracts/file-findings';
import { encodePhotoId, FILE_NAME, fileUrl } from '@parcelway/contracts/file-receipt';
import { tenantOf, warehouseOf } from '@parcelway/http/app';
import type { ClaimKey, Idempotency } from '@parcelway/http/idempotency';
import { sendOk } from '@parcelway/http/response';
import { AppError } from '@parcelway/kernel/app-error';
import { isoInstant } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { Request, Response, Router } from 'express';
import { imageKinds, pdfEndFaults, recogniseImage, recognisePdf } from '../domain/accepted-file-type.ts';
import { inlineDisposition } from '../domain/file-name.ts';
import { findingsForUrl, pdfWarnings } from '../domain/findings-for-url.ts';
import type { PdfFindings } from '../domain/inspected-pdf.ts';
import { sizeInfo } from '../domain/size-info.ts';
import type { StoredPhoto } from '../domain/stored-file.ts';
import type { ClaimUpload, IncomingFile, PublicContents, PublicDocuments } from '../ports.ts';
import type { UploadedPdf } from '../upload-pdf.ts';
import { openDocument } from './document-parts.ts';
import { MemoryBudget } from './memory-budget.ts';
import { type Accepted, receiveFile } from './receive-file.ts';
import { sendContent } from './send-content.ts';

/** What the routes need. */
export interface FileRoutesOptions {
  readonly uploadPdf: (tenantId: string, incoming: IncomingFile, claim?: ClaimUpload) => Promise<UploadedPdf>;
  readonly uploadPhoto: (warehouseCode: string, incoming: IncomingFile, claim?: ClaimUpload) => Promise<StoredPhoto>;
  readonly idempotency: Idempotency;
  readonly contents: PublicContents;
  readonly documents: PublicDocuments;
  readonly blobs: Blobs;
  readonly logger: Logger;
  readonly environment: Environment;
  readonly publicBaseUrl: string;
  readonly fileSecret: string;
}

const PDF_TYPE: Pick<Accepted, 'recognise' | 'endFaults'> = { recognise: recognisePdf, endFaults: pdfEndFaults };
const PHOTO: Accepted = { recognise: recogniseImage };

/** Contents that are kept for inspection have together at most so many bytes; further ones are stored without inspection. */
const MAX_KEPT_BYTES = 48 * 1024 * 1024;

const PHOTO_NAME = /^([A-Za-z0-9_-]{22})\.(jpg|png|webp)$/;

function extensionOf(photo: StoredPhoto): string {
  const kind = imageKinds.find(({ mediaType }) => mediaType === photo.mediaType);
  if (!kind) throw new Error(`The photo ${photo.id} has an unknown type`);
  return kind.extension;
}

/**
 * `data` of a PDF upload. The URL is made again each time: it follows the base URL of the installation. It has what was found when the file was
 * stored, and so stays the same.
 */
function representFile(options: FileRoutesOptions, tenantId: string, { file, deduplicated, findings }: UploadedPdf): UploadedFile {
  const { fileSecret, publicBaseUrl, environment } = options;
  const findingsText = file.findings && findingsInUrl(fileSecret, file.findings);
  return {
    url: fileUrl(fileSecret, publicBaseUrl, { tenantId, environment }, file.token, findingsText),
    attachment_id: file.id,
    origin_name: file.name,
    size_byte: file.size,
    size_info: sizeInfo(file.size),
    deduplicated,
    warnings: pdfWarnings(findings),
    barcodes: (findings?.barcodes ?? []).map(({ page, format, text }) => ({ page, format, text: text.replace(/\p{Cc}/gu, ' ') })),
  };
}

/** What the URL of a file has of its findings. */
function findingsInUrl(secret: string, findings: PdfFindings): FileFindings {
  const { barcodes, barcodeSearch } = findings;
  return findingsForUrl(findings, summariseBarcodes(secret, barcodes, barcodeSearch === 'complete'));
}

function representPhoto(options: FileRoutesOptions, warehouseCode: string, photo: StoredPhoto): UploadedPhoto {
  const imageUrl = `${options.publicBaseUrl}/photos/${photo.token}.${extensionOf(photo)}`;
  const photoId = encodePhotoId(options.fileSecret, {
    id: photo.id,
    image_path: photo.storageKey,
    image_url: imageUrl,
    file_size: photo.size,
    upload_time: isoInstant(photo.uploadedAt),
    warehouse_code: warehouseCode,
    environment: options.environment,
  });
  return { photo_id: photoId, image_url: imageUrl, media_type: photo.mediaType, size_byte: photo.size };
}

async function openFile(options: FileRoutesOptions, req: Request, res: Response): Promise<void> {
  const token = FILE_NAME.exec(String(req.params.name))?.[1];
  const file = token === undefined ? undefined : await options.contents.fileByToken(token);
  const document = file || token === undefined ? undefined : await openDocument(options, options.documents, token, req.query.copies);
  if (document) return sendContent(options, req, res, document);
  if (!file) throw new AppError('40403', 'The file does not exist');
  const shown = { storageKey: file.storageKey, size: file.size, mediaType: 'application/pdf', disposition: inlineDisposition(file.name) };
  await sendContent(options, req, res, shown);
}

async function openPhoto(options: FileRoutesOptions, req: Request, res: Response): Promise<void> {
  const [, token, extension] = PHOTO_NAME.exec(String(req.params.name)) ?? [];
  const photo = token === undefined ? undefined : await options.contents.photoByToken(token);
  if (!photo || extensionOf(photo) !== extension) throw new AppError('40403', 'The photo does not exist');
  const { storageKey, size, mediaType } = photo;
  await sendContent(options, req, res, { storageKey, size, mediaType, disposition: inlineDisposition(`photo-${photo.id}.${extension}`) });
}

/**
 * As {@link receiveFile}, for an upload that may carry an idempotency key: it is known by its content and its file name.
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
        isReplayed = !(await claim(`${sha256} ${incoming.name}`));
        if (isReplayed) throw new Error('The upload has been replayed');
      }),
    );
  } catch (error) {
    if (isReplayed) return undefined;
    throw error;
  }
}

/** Adds the routes of the file service. */
export function fileRoutes(router: Router, options: FileRoutesOptions): void {
  const pdf: Accepted = { ...PDF_TYPE, budget: new MemoryBudget(MAX_KEPT_BYTES) };
  router.post('/open/v1/files/pdf', async (req, res) => {
    const tenantId = tenantOf(req);
    const claim = options.idempotency.claimOf('uploadPdf', tenantOf, req, res);
    const uploaded = await receiveOnce(req, pdf, claim, (incoming, once) => options.uploadPdf(tenantId, incoming, once));
    if (uploaded !== undefined) sendOk(res, representFile(options, tenantId, uploaded));
  });
  router.post('/warehouse/v1/photos', async (req, res) => {
    const warehouseCode = warehouseOf(req);
    const claim = options.idempotency.claimOf('uploadPhoto', warehouseOf, req, res);
    const photo = await receiveOnce(req, PHOTO, claim, (incoming, once) => options.uploadPhoto(warehouseCode, incoming, once));
    if (photo !== undefined) sendOk(res, representPhoto(options, warehouseCode, photo));
  });
  router.get('/files/:name', (req, res) => openFile(options, req, res));
  router.get('/photos/:name', (req, res) => openPhoto(options, req, res));
}
