import type { Readable } from 'node:stream';
import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { AppError } from '@parcelway/kernel/app-error';
import type { FileKind } from './domain/accepted-file-type.ts';
import type { ContentDigest, ContentIdentity } from './domain/content-identity.ts';
import type {
  DocumentContent,
  DocumentItem,
  DocumentOrder,
  NewDocuments,
  RenderedDocuments,
  StoredDocuments,
} from './domain/forecast-documents.ts';
import type { PdfFindings } from './domain/inspected-pdf.ts';
import type { NewFile, NewPhoto, StoredFile, StoredPhoto } from './domain/stored-file.ts';

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

/** Reads what events do not carry. */
export interface ForecastContents {
  /** Items of a forecast, of the version or a newer one. @throws AppError 40401, 50301 */
  readItems(tenantId: string, forecastNo: string, version: number, traceparent: string | undefined): Promise<readonly DocumentItem[]>;
}

/** Records of the documents of forecasts. Which of them count is stated in `domain/forecast-documents.ts`. */
export interface DocumentRecords {
  /**
   * True when a version, or a newer one, has its documents, and when the forecast was deleted in the last days: then it needs none. Finishes what a crash left
   * undone behind {@link recordDocuments}.
   * @throws AppError 50301
   */
  hasDocuments(tenantId: string, forecastNo: string, version: number): Promise<boolean>;
  /**
   * Records documents whose content is stored, and in the same write ends the pending upload and appends the message to the outbox. Older versions are
   * marked as superseded. Documents of a version that is older than a recorded one are marked at once, without a message.
   * @returns false when the version has documents already, or the forecast was deleted meanwhile; then the content is the caller's to remove
   * @throws AppError 50301, also when the pending upload was cancelled
   */
  recordDocuments(tenantId: string, documents: NewDocuments, message: EncodedMessage): Promise<boolean>;
}

/** An order that one process is working on. */
export interface LeasedOrder {
  readonly order: DocumentOrder;
  /** Distinguishes this lease from every other of the order. */
  readonly lease: string;
  /** When the order was given, epoch milliseconds. */
  readonly orderedAt: number;
  /** How often it failed with what may be a defect. */
  readonly defects: number;
}

/** When an order is due again, and how often it has failed by then with what may be a defect. */
export interface Postponement {
  readonly dueAt: number;
  readonly defects: number;
}

/**
 * Versions of forecasts whose documents are still to be generated, at most one of each forecast. An order stays until it is finished: whoever leases it
 * keeps others away until the lease runs out.
 */
export interface DocumentOrders {
  /** Keeps an order, due at once, durably. Of two versions of a forecast the newer one is kept: only its documents count. @throws AppError 50301 */
  put(order: DocumentOrder, now: number): Promise<void>;
  /**
   * As {@link put}, and leases the order in the same write. May be repeated under the same lease.
   * @param lease a name that nobody else gives to a lease
   * @returns undefined when this version, under another lease, or a newer one is kept already
   * @throws AppError 50301; then the order may be kept, until the lease runs out
   */
  putLeased(order: DocumentOrder, now: number, until: number, lease: string): Promise<LeasedOrder | undefined>;
  /** The first tenant behind another, in the order of their ids, who has an order that is due. @throws AppError 50301 */
  nextTenant(after: string, now: number): Promise<string | undefined>;
  /** Leases the order of a tenant that is due longest. @throws AppError 50301 */
  lease(tenantId: string, now: number, until: number): Promise<LeasedOrder | undefined>;
  /** Extends a lease or gives it back; does nothing once the lease is another's. @throws AppError 50301 */
  postpone(leased: LeasedOrder, postponement: Postponement): Promise<void>;
  /** Removes an order, unless its lease is another's or a newer version has taken its place. @throws AppError 50301 */
  finish(leased: LeasedOrder): Promise<void>;
  /** How many orders there are; with MongoDB an estimate after a crash. @throws AppError 50301 */
  count(): Promise<number>;
}

/** Documents that a token opens one of. */
export interface FoundDocument {
  readonly tenantId: string;
  readonly documents: StoredDocuments;
  readonly kind: 'label' | 'slip';
}

/** Look-up of documents by a token; as {@link PublicContents}. */
export interface PublicDocuments {
  documentsByToken(token: string): Promise<FoundDocument | undefined>;
}

/** Former versions of documents. */
export interface SupersededDocuments {
  /**
   * Deletes documents that were superseded before an instant, at most `limit`: their URLs open nothing any more, and the sweep of abandoned uploads
   * removes their content.
   * @returns how many
   * @throws AppError 50301
   */
  retireSuperseded(before: number, limit: number): Promise<number>;
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

/** All that the file service keeps. */
export interface FileStore extends PendingUploads, AbandonedUploads, FileRecords, PhotoRecords, PublicContents {
  /** Resolves when the store responds. @throws AppError 50301 */
  check(): Promise<void>;
}

/** All that the service keeps of documents. */
export type DocumentStore = DocumentRecords & PublicDocuments & SupersededDocuments;
