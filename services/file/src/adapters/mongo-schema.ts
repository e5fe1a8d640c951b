import { defineCollection, type MongoCollection } from '@parcelway/mongo/mongo-collection';
import { counters } from '@parcelway/mongo/mongo-counter';
import { idempotencyKeys } from '@parcelway/mongo/mongo-idempotency';
import { Schema } from 'mongoose';
import type { FileKind } from '../domain/file-kind.ts';

/**
 * A content, from before it can exist. While it is pending or abandoned it has `sweep_from`; once recorded it has
 * `recorded` and all the rest instead: one update turns the one into the other, so no other document has to agree.
 */
export interface ContentDocument {
  /** Tenant id of a PDF, warehouse code of a photo. */
  readonly owner_id: string;
  readonly storage_key: string;
  /** Start of the upload in epoch milliseconds; {@link ABANDONED} once it can no longer be recorded. */
  readonly sweep_from?: number;
  readonly recorded?: 'pdf' | 'photo';
  /** Number of the attachment or photo. */
  readonly number?: number;
  readonly token?: string;
  readonly name?: string;
  readonly media_type?: FileKind['mediaType'];
  readonly md5?: string;
  /** Absent from what was recorded before it was kept. */
  readonly sha256?: string;
  readonly size?: number;
  readonly uploaded_at?: number;
}

/** Before every instant: what is abandoned is swept at any age. */
export const ABANDONED = -1;

const contentSchema = new Schema({
  owner_id: { type: String, required: true },
  storage_key: { type: String, required: true },
  sweep_from: Number,
  recorded: { type: String, enum: ['pdf', 'photo'] },
  number: Number,
  token: String,
  name: String,
  media_type: String,
  md5: String,
  sha256: String,
  size: Number,
  uploaded_at: Number,
});
contentSchema.index({ owner_id: 1, storage_key: 1 }, { name: 'storage_key', unique: true });
// A tenant has one PDF of a content; photos of one content are as many as were taken.
contentSchema.index(
  { owner_id: 1, md5: 1, sha256: 1 },
  { name: 'pdf_of_digests', unique: true, partialFilterExpression: { recorded: 'pdf' } },
);
// Not by owner: a token is an unguessable capability that opens a content for whoever knows it.
contentSchema.index({ token: 1 }, { name: 'token', unique: true, partialFilterExpression: { token: { $exists: true } } });
// Over all owners: the sweep is the platform's own work.
contentSchema.index({ sweep_from: 1 }, { name: 'sweep_from', partialFilterExpression: { sweep_from: { $exists: true } } });

/** PDFs and photos. */
export const contents = defineCollection<ContentDocument>('contents', contentSchema, { obsoleteIndexes: ['pdf_of_content'] });

/** All that the file service keeps. */
export const fileCollections: readonly MongoCollection<unknown>[] = [contents, counters, idempotencyKeys];
