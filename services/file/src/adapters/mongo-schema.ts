import { createHash } from 'node:crypto';
import { defineCollection, type MongoCollection } from '@parcelway/mongo/mongo-collection';
import { counters } from '@parcelway/mongo/mongo-counter';
import { byOwner } from '@parcelway/mongo/mongo-sharding';
import { mongoCollection } from '@parcelway/store/mongo/mongo-store-schema';
import { erasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { usageDays } from '@parcelway/store/shared/usage-days';
import { workLeases } from '@parcelway/store/shared/work-leases';
import { mongo, Schema } from 'mongoose';
import type { StoredFile } from '../domain/stored-file.ts';
import { deletedForecasts, fileUses, photoUses } from '../retention/adapters/mongo-retention-schema.ts';
import type { FileKind } from '../uploads/domain/accepted-file-type.ts';
import type { PdfFindings } from '../uploads/domain/inspected-pdf.ts';

/**
 * A content, from before it can exist. While it is pending or abandoned it has `sweep_from`; once recorded it has
 * `recorded` and all the rest instead: one update turns the one into the other, so no other document has to agree.
 */
export interface ContentDocument {
  /** Tenant id of a PDF, of documents or of a tenant's own image, warehouse code of any other photo. */
  readonly owner_id: string;
  readonly storage_key: string;
  /** Start of the upload in epoch milliseconds; {@link ABANDONED} once it can no longer be recorded. */
  readonly sweep_from?: number;
  /** `hidden`: a PDF that its tenant has deleted. */
  readonly recorded?: 'pdf' | 'photo' | 'document' | 'hidden';
  /** Number of the attachment or photo. */
  readonly number?: number;
  readonly token?: string;
  readonly name?: string;
  readonly media_type?: FileKind['mediaType'];
  readonly md5?: string;
  readonly sha256?: string;
  readonly size?: number;
  readonly uploaded_at?: number;
  /** JSON of what an inspection of a PDF found; absent from what was not inspected. */
  readonly findings?: string;
  /** Of documents, from here on. */
  readonly forecast_no?: string;
  readonly version?: number;
  readonly label_end?: number;
  readonly copies_end?: number | null;
  readonly slip_start?: number;
  readonly generated_at?: number;
  /** Of a PDF or a tenant's own image: since when no forecast uses it any more, epoch milliseconds. */
  readonly unused_since?: number;
  /** Of a PDF: whether a forecast names it now. */
  readonly is_used?: boolean;
}

/** Id of the document of a content: whoever knows the content knows it, without a read. */
export function contentId(ownerId: string, storageKey: string): mongo.ObjectId {
  return new mongo.ObjectId(createHash('sha256').update(`${ownerId} ${storageKey}`).digest().subarray(0, 12));
}

/** Before every instant: what is abandoned is swept at any age. */
export const ABANDONED = -1;

const contentSchema = new Schema({
  owner_id: { type: String, required: true },
  storage_key: { type: String, required: true },
  sweep_from: Number,
  recorded: { type: String, enum: ['pdf', 'photo', 'document', 'hidden'] },
  number: Number,
  token: String,
  name: String,
  media_type: String,
  md5: String,
  sha256: String,
  size: Number,
  uploaded_at: Number,
  findings: String,
  forecast_no: String,
  version: Number,
  label_end: Number,
  copies_end: Number,
  slip_start: Number,
  generated_at: Number,
  unused_since: Number,
  is_used: Boolean,
});
contentSchema.index({ owner_id: 1, storage_key: 1 }, { name: 'storage_key', unique: true });
// A tenant has one PDF of a content; photos of one content are as many as were taken.
contentSchema.index(
  { owner_id: 1, md5: 1, sha256: 1 },
  { name: 'pdf_of_digests', unique: true, partialFilterExpression: { recorded: 'pdf' } },
);
// Not by owner: a token is an unguessable capability that opens a content for whoever knows it.
// It is unique because nobody can guess it; an index that does not start with the owner could not see to that on several shards.
contentSchema.index({ token: 1 }, { name: 'by_token', partialFilterExpression: { token: { $exists: true } } });
contentSchema.index(
  { owner_id: 1, forecast_no: 1, version: 1 },
  { name: 'documents_of_version', unique: true, partialFilterExpression: { recorded: 'document' } },
);
// By the numbers that tenants see.
contentSchema.index({ owner_id: 1, number: 1 }, { name: 'by_number', partialFilterExpression: { number: { $exists: true } } });
const shown = { recorded: 'pdf' } as const;
contentSchema.index({ owner_id: 1, uploaded_at: -1, token: -1 }, { name: 'shown', partialFilterExpression: shown });
contentSchema.index({ owner_id: 1, is_used: 1, uploaded_at: -1, token: -1 }, { name: 'shown_by_use', partialFilterExpression: shown });
// With all that a measurement reads.
contentSchema.index({ owner_id: 1, recorded: 1, _id: 1, size: 1 }, { name: 'stored_pdfs', partialFilterExpression: shown });
contentSchema.index(
  { recorded: 1, owner_id: 1, _id: 1, size: 1 },
  { name: 'stored_photos', partialFilterExpression: { recorded: 'photo' } },
);
// Over all owners: the sweep is the platform's own work.
contentSchema.index({ unused_since: 1 }, { name: 'unused_since', partialFilterExpression: { unused_since: { $exists: true } } });
contentSchema.index({ sweep_from: 1 }, { name: 'sweep_from', partialFilterExpression: { sweep_from: { $exists: true } } });

/** PDFs, photos and documents. */
export const contents = defineCollection<ContentDocument>('contents', contentSchema, { sharding: byOwner });

/** All that the file service keeps. */
export const fileCollections: readonly MongoCollection<unknown>[] = [
  contents,
  fileUses,
  photoUses,
  deletedForecasts,
  counters,
  ...[idempotencyKeys, usageDays, erasedTenants, workLeases].map(mongoCollection),
];

/** A document that has been recorded has all of this, but for the findings of what was not inspected. */
export type RecordedContent = Required<Omit<ContentDocument, 'findings'>> & Pick<ContentDocument, 'findings'>;

/** A file from its document. */
export function toFile(document: RecordedContent): StoredFile {
  const { number: id, storage_key: storageKey, token, name, md5, sha256, size, uploaded_at: uploadedAt } = document;
  const findings = document.findings === undefined ? undefined : (JSON.parse(document.findings) as PdfFindings);
  return { id, storageKey, token, name, md5, sha256, size, uploadedAt, findings };
}
