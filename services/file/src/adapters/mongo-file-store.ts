import { AppError } from '@parcelway/kernel/app-error';
import { MongoCounter } from '@parcelway/mongo/mongo-counter';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import type { Model } from 'mongoose';
import type { ContentIdentity, NewFile, NewPhoto, ShownNumbers, StoredFile, StoredPhoto } from '../domain/stored-file.ts';
import type { FileStore } from '../ports.ts';
import { ABANDONED, type ContentDocument, contentId, contents, type RecordedContent, toFile } from './mongo-schema.ts';

function toPhoto(document: RecordedContent): StoredPhoto {
  const { number: id, storage_key: storageKey, token, media_type: mediaType, md5, sha256, size, uploaded_at: uploadedAt } = document;
  return { id, storageKey, token, mediaType, md5, sha256, size, uploadedAt };
}

/**
 * The file service's stores over MongoDB. Each step is one update of one document. Of recording and abandoning an upload
 * exactly one happens, because both ask for a document that is still pending; so a crash between any two steps leaves a
 * pending or an abandoned document, which the sweep finds, and never a record whose content is removed.
 */
export class MongoFileStore implements FileStore {
  readonly #database: MongoDatabase;
  readonly #contents: Model<ContentDocument>;
  readonly #numbers: { readonly pdf: MongoCounter; readonly photo: MongoCounter };

  readonly #shown: ShownNumbers;

  /**
   * @param database migrated with fileCollections
   * @param shown stored with the records
   */
  constructor(database: MongoDatabase, shown: ShownNumbers) {
    this.#shown = shown;
    this.#database = database;
    this.#contents = database.model(contents);
    this.#numbers = { pdf: new MongoCounter(database, 'files'), photo: new MongoCounter(database, 'photos') };
  }

  async begin(ownerId: string, storageKey: string, now: number): Promise<void> {
    const pending = { _id: contentId(ownerId, storageKey), owner_id: ownerId, storage_key: storageKey, sweep_from: now };
    await this.#database.run(() => this.#contents.collection.insertOne(pending));
  }

  async abandon(ownerId: string, storageKey: string): Promise<boolean> {
    const { matchedCount } = await this.#database.run(() =>
      this.#contents.collection.updateOne(
        { owner_id: ownerId, storage_key: storageKey, sweep_from: { $exists: true } },
        { $set: { sweep_from: ABANDONED } },
      ),
    );
    return matchedCount === 1;
  }

  async forget(ownerId: string, storageKey: string): Promise<void> {
    await this.#database.run(() =>
      this.#contents.collection.deleteOne({ owner_id: ownerId, storage_key: storageKey, sweep_from: { $exists: true } }),
    );
  }

  async claim(before: number, limit: number): Promise<{ ownerId: string; storageKey: string }[]> {
    return this.#database.run(async () => {
      const old = await this.#contents.collection.find({ sweep_from: { $lt: before } }, { projection: { _id: 1 }, limit }).toArray();
      const ids = old.map(({ _id }) => _id);
      if (ids.length === 0) return [];
      await this.#contents.collection.updateMany({ _id: { $in: ids }, sweep_from: { $exists: true } }, { $set: { sweep_from: ABANDONED } });
      // One that was recorded in between is not among them.
      const claimed = await this.#contents.collection.find({ _id: { $in: ids }, sweep_from: ABANDONED }).toArray();
      return claimed.map(({ owner_id, storage_key }) => ({ ownerId: owner_id as string, storageKey: storage_key as string }));
    });
  }

  async findByContent(tenantId: string, { md5, sha256 }: ContentIdentity): Promise<StoredFile | undefined> {
    const document = await this.#database.run(() =>
      this.#contents
        .findOne({ owner_id: { $eq: tenantId }, md5: { $eq: md5 }, sha256: { $eq: sha256 }, recorded: 'pdf' })
        .lean<RecordedContent>(),
    );
    return document === null ? undefined : toFile(document);
  }

  async recordFile(tenantId: string, file: NewFile): Promise<{ file: StoredFile; isNew: boolean }> {
    const id = this.#shown.file(await this.#numbers.pdf.next());
    try {
      const { token, name, md5, sha256, size, uploadedAt, findings } = file;
      await this.#record(tenantId, file.storageKey, {
        recorded: 'pdf',
        number: id,
        token,
        name,
        md5,
        sha256,
        size,
        uploaded_at: uploadedAt,
        is_used: false,
        ...(findings && { findings: JSON.stringify(findings) }),
      });
      return { file: { ...file, id }, isNew: true };
    } catch (error) {
      if (!isDuplicateKey(error, 'pdf_of_digests')) throw error;
      const winner = await this.findByContent(tenantId, file);
      // Records are not removed: what was in the way a moment ago is there.
      if (winner === undefined) throw AppError.unavailable('The store returned inconsistent data; try again', error);
      await this.abandon(tenantId, file.storageKey);
      return { file: winner, isNew: false };
    }
  }

  recordPhoto(warehouseCode: string, photo: NewPhoto): Promise<StoredPhoto> {
    return this.#recordPhoto(warehouseCode, photo, {});
  }

  recordImage(tenantId: string, image: NewPhoto, unusedSince: number): Promise<StoredPhoto> {
    return this.#recordPhoto(tenantId, image, { unused_since: unusedSince });
  }

  async #recordPhoto(ownerId: string, photo: NewPhoto, more: Pick<ContentDocument, 'unused_since'>): Promise<StoredPhoto> {
    const id = this.#shown.photo(await this.#numbers.photo.next());
    const { token, mediaType, md5, sha256, size, uploadedAt } = photo;
    await this.#record(ownerId, photo.storageKey, {
      ...more,
      recorded: 'photo',
      number: id,
      token,
      media_type: mediaType,
      md5,
      sha256,
      size,
      uploaded_at: uploadedAt,
    });
    return { ...photo, id };
  }

  async fileByToken(token: string, which: 'shown' | 'all' = 'shown'): Promise<StoredFile | undefined> {
    const document = await this.#byToken(token, which === 'all' ? ['pdf', 'hidden'] : ['pdf']);
    return document === null ? undefined : toFile(document);
  }

  async photoByToken(token: string): Promise<StoredPhoto | undefined> {
    const document = await this.#byToken(token, ['photo']);
    return document === null ? undefined : toPhoto(document);
  }

  /** Resolves when MongoDB responds. @throws AppError 50301 */
  async check(): Promise<void> {
    await this.#database.check();
  }

  #byToken(token: string, recorded: readonly ('pdf' | 'hidden' | 'photo')[]): Promise<RecordedContent | null> {
    return this.#database.run(() => this.#contents.findOne({ token: { $eq: token }, recorded: { $in: recorded } }).lean<RecordedContent>());
  }

  /** Turns a pending upload into a record, or fails when it has been abandoned. */
  async #record(ownerId: string, storageKey: string, record: Partial<ContentDocument>): Promise<void> {
    const { matchedCount } = await this.#database.run(() =>
      this.#contents.collection.updateOne(
        { owner_id: ownerId, storage_key: storageKey, sweep_from: { $exists: true, $ne: ABANDONED } },
        { $set: record, $unset: { sweep_from: '' } },
      ),
    );
    if (matchedCount !== 1) throw AppError.unavailable('The upload took too long and was cancelled');
  }
}
