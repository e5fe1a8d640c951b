import { AppError } from '@parcelway/kernel/app-error';
import { newToken } from '@parcelway/kernel/ids';
import type { FileRecords, PhotoRecords } from '../contents/content-records.ts';
import { cutFileName } from '../domain/file-name.ts';
import type { NewPhoto, StoredFile, StoredPhoto } from '../domain/stored-file.ts';
import type { ClaimUpload, IncomingFile } from '../ports.ts';
import { imageUnusedSince } from '../retention/decide-files.ts';
import type { FileRetention } from '../retention/file-retention.ts';
import { assertNotErased, type StoreTenantContentOptions, storeContent } from '../store-content.ts';
import type { PdfFindings } from './domain/inspected-pdf.ts';

export interface UploadPhotoOptions extends StoreTenantContentOptions {
  readonly records: PhotoRecords;
}

function upload(
  options: UploadPhotoOptions,
  ownerId: string,
  incoming: IncomingFile,
  claim: ClaimUpload | undefined,
  record: (photo: NewPhoto) => Promise<StoredPhoto>,
): Promise<StoredPhoto> {
  return storeContent(options, {
    ownerId,
    prefix: 'photo',
    incoming,
    failpoint: 'photo.content-stored',
    beforeStored: claim,
    async record(storageKey, digest) {
      const photo = { ...digest, storageKey, token: newToken(), mediaType: incoming.kind.mediaType, uploadedAt: options.clock.now() };
      return { value: await record(photo), keep: true };
    },
  });
}

/**
 * Stores a photo of a warehouse. Every upload is a photo of its own: the same picture sent twice is two records.
 * @throws AppError 42204, 42205, 42206, 42207
 */
export function uploadPhoto(
  options: UploadPhotoOptions,
  warehouseCode: string,
  incoming: IncomingFile,
  claim?: ClaimUpload,
): Promise<StoredPhoto> {
  return upload(options, warehouseCode, incoming, claim, (photo) => options.records.recordPhoto(warehouseCode, photo));
}

/**
 * As {@link uploadPhoto}, for an image of a tenant. It is unused until the tenant puts it on a forecast.
 * @throws AppError as {@link uploadPhoto}
 */
export function uploadImage(
  options: UploadPhotoOptions,
  tenantId: string,
  incoming: IncomingFile,
  claim?: ClaimUpload,
): Promise<StoredPhoto> {
  return upload(options, tenantId, incoming, claim, async (image) => {
    assertNotErased(options, tenantId);
    return options.records.recordImage(tenantId, image, imageUnusedSince(image.uploadedAt));
  });
}

export interface UploadPdfOptions extends StoreTenantContentOptions {
  readonly records: FileRecords;
  /** See WorkerPdfInspector. */
  readonly inspector: { inspect(ownerId: string, content: readonly Buffer[]): Promise<PdfFindings | undefined> };
}

export interface UploadedPdf {
  readonly file: StoredFile;
  /** The tenant had this content already; `file` is that record. */
  readonly deduplicated: boolean;
  /** Of this upload when `file` has none: an earlier upload of it was not inspected. */
  readonly findings: PdfFindings | undefined;
}

/** Ends a storing that is not needed. Never leaves {@link uploadPdf}. */
class AlreadyStored extends Error {}

/**
 * Stores a PDF for a tenant, or finds the one with the same content, and inspects it meanwhile. A look-up spares the storing of a known
 * content, and its inspection; the unique (tenant, MD5, SHA-256) of the store decides between uploads at the same time.
 * @throws AppError 42204, 42205, 42206, 42207
 */
export async function uploadPdf(
  options: UploadPdfOptions,
  tenantId: string,
  incoming: IncomingFile,
  claim?: ClaimUpload,
): Promise<UploadedPdf> {
  let known: StoredFile | undefined;
  let inspection: Promise<PdfFindings | undefined> | undefined;
  try {
    const { file, isNew } = await storeContent(options, {
      ownerId: tenantId,
      prefix: 'pdf',
      incoming,
      failpoint: 'file.content-stored',
      async beforeStored(digest) {
        await claim?.(digest);
        known = await options.records.findByContent(tenantId, digest);
        const content = known?.findings === undefined ? incoming.kept() : undefined;
        if (content) inspection = options.inspector.inspect(tenantId, content);
        if (known) throw new AlreadyStored();
      },
      async record(storageKey, digest) {
        const name = cutFileName(incoming.name);
        const findings = await inspection;
        const uploadedAt = options.clock.now();
        const newFile = { ...digest, storageKey, token: newToken(), name, uploadedAt, findings };
        assertNotErased(options, tenantId);
        const recorded = await options.records.recordFile(tenantId, newFile);
        return { value: recorded, keep: recorded.isNew };
      },
    });
    return { file, deduplicated: !isNew, findings: file.findings ?? (await inspection) };
  } catch (error) {
    if (known) return { file: known, deduplicated: true, findings: known.findings ?? (await inspection) };
    throw error;
  }
}

/** Records of PDFs that note when a known content is uploaded again: it may be unused, and is about to be used. */
export function notingUploads(records: FileRecords, retention: Pick<FileRetention, 'noteUpload'>): FileRecords {
  return {
    async findByContent(tenantId, content) {
      const found = await records.findByContent(tenantId, content);
      // It may have ended just before it was noted: then the upload is stored anew.
      return found && (await retention.noteUpload(tenantId, found.token)) ? found : undefined;
    },
    async recordFile(tenantId, file) {
      const recorded = await records.recordFile(tenantId, file);
      if (recorded.isNew || (await retention.noteUpload(tenantId, recorded.file.token))) return recorded;
      throw AppError.unavailable('The file has ended just now; try again');
    },
  };
}
