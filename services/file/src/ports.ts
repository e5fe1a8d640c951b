import type { Readable } from 'node:stream';
import type { Blobs } from '@parcelway/blobs/blobs';
import type { AppError } from '@parcelway/kernel/app-error';
import type { IdempotencyStore } from '@parcelway/kernel/idempotency-store';
import type { TenantData } from '@parcelway/kernel/tenant-data';
import type { UsageStore } from '@parcelway/kernel/usage-counter';
import type { WorkLease } from '@parcelway/kernel/work-lease';
import type { DocumentContent, RenderedDocuments, StoredDocuments } from './documents/domain/forecast-documents.ts';
import type { ContentDigest, ContentIdentity, NewFile, NewPhoto, StoredFile, StoredPhoto } from './domain/stored-file.ts';
import type { FileRetention } from './retention/ports.ts';
import type { StoredContents } from './storage/ports.ts';
import type { FileKind } from './uploads/domain/accepted-file-type.ts';
import type { PdfFindings } from './uploads/domain/inspected-pdf.ts';
import type { OwnFiles } from './uploads/ports.ts';

/** A file on its way in, recognised, not yet received to its end. */
export interface IncomingFile {
  readonly name: string;
  readonly kind: FileKind;
  /** The content. It ends only once all of the upload has proved well-formed; it fails with an AppError otherwise. */
  readonly content: Readable;
  /** Why the upload was refused, once it was: what `content` failed with. */
  readonly refusal: AppError | undefined;
  /** Text fields of the form that have a meaning, by their names; complete after the content has ended. */
  readonly fields: ReadonlyMap<string, string>;
  /** Size and digests; after the content has ended. */
  digest(): ContentDigest;
  /** All of the content in pieces, after it has ended; undefined when there was no room to keep it. */
  kept(): readonly Buffer[] | undefined;
  /** Registers what must be done after the last byte and before the content ends; its failure fails the content. */
  beforeEnd(check: (digest: ContentDigest) => Promise<void>): void;
}

/** Runs when the whole content is known, before anything is stored; its failure cancels the upload. */
export type ClaimUpload = (digest: ContentDigest) => Promise<void>;

/**
 * Which contents are being stored. A row exists from before a content can exist until its record does, so that a
 * content whose record was never written can be found and removed.
 */
export interface PendingUploads {
  /**
   * Notes that a content is about to be stored.
   * @param ownerId tenant id or warehouse code
   * @throws AppError 50301
   */
  begin(ownerId: string, storageKey: string, now: number): Promise<void>;
  /**
   * Makes sure that an upload can no longer be recorded, so that its content may be removed.
   * @returns false when it has been recorded: its content must stay
   * @throws AppError 50301; then the sweep decides later
   */
  abandon(ownerId: string, storageKey: string): Promise<boolean>;
  /** Forgets an upload whose content is gone. @throws AppError 50301 */
  forget(ownerId: string, storageKey: string): Promise<void>;
}

/** Contents without a record, over all owners: the sweep is the platform's own work, not a caller's. */
export interface AbandonedUploads {
  /** Claims uploads that began before `before` or lost to an identical one; none of them can be recorded any more. */
  claim(before: number, limit: number): Promise<readonly { readonly ownerId: string; readonly storageKey: string }[]>;
  forget(ownerId: string, storageKey: string): Promise<void>;
}

/** Records of PDFs. */
export interface FileRecords {
  /** The tenant's file with this content: the same MD5 and the same SHA-256. @throws AppError 50301 */
  findByContent(tenantId: string, content: ContentIdentity): Promise<StoredFile | undefined>;
  /**
   * Records a file whose content is stored, or returns the record that the tenant already has of this content; then the
   * given content is the caller's to remove. Ends the pending upload in the same write.
   * @throws AppError 50301, also when the upload took so long that it was cancelled
   */
  recordFile(tenantId: string, file: NewFile): Promise<{ readonly file: StoredFile; readonly isNew: boolean }>;
}

/** Reads what is inside a PDF. */
export interface PdfInspector {
  /**
   * Inspects a content within a deadline.
   * @param ownerId whose share of the inspections it is
   * @param content in pieces, which nobody must change until it resolves
   * @returns undefined when there is no capacity now; never rejects
   */
  inspect(ownerId: string, content: readonly Buffer[]): Promise<PdfFindings | undefined>;
}

/** Draws the documents of forecasts. */
export interface DocumentRenderer {
  /**
   * The bytes of a forecast's documents, piece by piece. The same content gives the same bytes.
   * @throws AppError 50000 when the content ended the renderer, 50301 when another did
   */
  render(content: DocumentContent): AsyncGenerator<Uint8Array, RenderedDocuments>;
}

/** Reads what documents show. */
export interface ForecastContents {
  /** The current content of a forecast. @throws AppError 40403 when the tenant has no such forecast, 50301 */
  readContent(
    tenantId: string,
    forecastNo: string,
  ): Promise<Omit<DocumentContent, 'forecastNo' | 'page' | 'sscc'> & { readonly forecastId: number }>;
}

/** Records of the documents of forecasts. */
export interface DocumentRecords {
  /** The documents of a version, once they were rendered. @throws AppError 50301 */
  findDocuments(tenantId: string, forecastNo: string, version: number): Promise<StoredDocuments | undefined>;
  /**
   * Records documents whose content is stored, and ends the pending upload in the same write. Those of versions more than KEPT_VERSIONS back end.
   * @returns false when the version has documents already, or the forecast was deleted meanwhile; then the content is the caller's to remove
   * @throws AppError 50301, also when the pending upload was cancelled
   */
  recordDocuments(tenantId: string, documents: StoredDocuments): Promise<boolean>;
}

/** Records of photos. */
export interface PhotoRecords {
  /** Records a photo whose content is stored. @throws AppError 50301, as {@link FileRecords.recordFile} */
  recordPhoto(warehouseCode: string, photo: NewPhoto): Promise<StoredPhoto>;
  /**
   * As {@link recordPhoto}, of a tenant's own image.
   * @param unusedSince from when on it counts as unused while no forecast has it, epoch milliseconds
   */
  recordImage(tenantId: string, image: NewPhoto, unusedSince: number): Promise<StoredPhoto>;
}

/** Look-ups by token. They take no owner: knowing the token, 128 random bits, is the permission to open. */
export interface PublicContents {
  /** @param which `all`: also files that were deleted a moment ago, while their content is there */
  fileByToken(token: string, which?: 'shown' | 'all'): Promise<StoredFile | undefined>;
  photoByToken(token: string): Promise<StoredPhoto | undefined>;
}

/** All that the file service keeps of contents. */
export interface FileStore extends PendingUploads, AbandonedUploads, FileRecords, PhotoRecords, PublicContents {}

/** Work that one process at a time does. */
export type Lease = 'file-sweep' | 'storage-measurement';

/** All that the service keeps. */
export interface FileStores {
  readonly store: FileStore;
  readonly documents: DocumentRecords;
  readonly retention: FileRetention;
  readonly ownFiles: OwnFiles;
  readonly keys: IdempotencyStore;
  readonly usage: UsageStore;
  readonly stored: StoredContents;
  /** Resolves when the database responds. @throws AppError 50301 */
  check(): Promise<void>;
  lease(name: Lease): WorkLease;
  /** @param blobs where the contents are */
  tenantData(blobs: Blobs): FileTenantData;
}

/** Photos of a tenant's parcels. They belong to the warehouse that took them, so whoever knows the parcels names them. */
export interface PhotoEraser {
  /**
   * Deletes photos, contents first. Those that are not there any more, and those that forecasts of other tenants have as well, are passed over.
   * @returns how many were deleted
   * @throws AppError 50301; may be repeated
   */
  erasePhotos(tenantId: string, tokens: readonly string[]): Promise<number>;
}

/** What the service stores about tenants. */
export interface FileTenantData extends TenantData {
  readonly photos: PhotoEraser;
}
