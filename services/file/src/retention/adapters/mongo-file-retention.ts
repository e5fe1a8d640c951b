import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { Model } from 'mongoose';
import { ABANDONED, type ContentDocument, contents } from '../../adapters/mongo-schema.ts';
import { retireDocuments } from '../../documents/adapters/mongo-documents.ts';
import {
  type EndedFiles,
  type FileRetention,
  imageUnusedSince,
  type NamedFiles,
  type OwnImages,
  type PhotoLinks,
  refusedReport,
} from '../ports.ts';
import { isNamed, noteCancelled, noteUses, settleUse, showNamed } from './mongo-file-uses.ts';
import {
  type DeletedForecastDocument,
  deletedForecasts,
  type FileUseDocument,
  fileUses,
  isDeletedForecast,
  MARK,
  type PhotoUseDocument,
  photoTokens,
  photoUses,
  shownAmong,
} from './mongo-retention-schema.ts';

/** The token of the use that says what was noted last of a forecast. */
const NO_FILE = '';

/** Turns a photo or PDF into a content that the sweep removes; a URL finds it no more. */
const ENDED = {
  $set: { sweep_from: ABANDONED },
  $unset: { recorded: '', token: '', md5: '', sha256: '', unused_since: '', is_used: '' },
} as const;

/** Uses and the end of files in MongoDB. Each step is a write that may be repeated, so a crash leaves the rest to the repeat of the event. */
export class MongoFileRetention implements FileRetention {
  readonly #db: MongoDatabase;
  readonly #contents: Model<ContentDocument>;
  readonly #uses: Model<FileUseDocument>;
  readonly #photos: Model<PhotoUseDocument>;
  readonly #deleted: Model<DeletedForecastDocument>;

  /** @param db migrated with fileCollections */
  constructor(db: MongoDatabase) {
    this.#db = db;
    this.#contents = db.model(contents);
    this.#uses = db.model(fileUses);
    this.#photos = db.model(photoUses);
    this.#deleted = db.model(deletedForecasts);
  }

  async noteUses(named: NamedFiles, now: number): Promise<void> {
    const { tenantId, forecastNo, version, files } = named;
    // The first version of a forecast without files: nothing to note, and nothing noted before.
    if (files.length === 0 && version === 1) return;
    const tokens = files.map(({ token }) => token);
    await this.#db.run(async () => {
      await noteUses(this.#db, named);
      if (await isDeletedForecast(this.#db, tenantId, forecastNo)) await this.#endUses(tenantId, forecastNo, [NO_FILE, ...tokens], now);
    });
  }

  async noteCancelled(tenantId: string, forecastNo: string, now: number): Promise<void> {
    await this.#db.run(async () => {
      await noteCancelled(this.#db, tenantId, forecastNo);
      if (await isDeletedForecast(this.#db, tenantId, forecastNo)) await this.#endUses(tenantId, forecastNo, [NO_FILE], now);
    });
  }

  async noteImages(own: OwnImages, now: number): Promise<void> {
    const { tenantId, forecastNo, images } = own;
    await this.#db.run(async () => {
      await noteImages(this.#db, own, now);
      if (await isDeletedForecast(this.#db, tenantId, forecastNo)) await this.#endPhotos(tenantId, forecastNo, [MARK, ...images]);
    });
  }

  async notePhotos(links: PhotoLinks): Promise<void> {
    const { tenantId, forecastNo, photos } = links;
    if (photos.length === 0) return;
    const uses = photos.map((token) => ({ tenant_id: tenantId, forecast_no: forecastNo, token }));
    const upserts = uses.map((use) => ({ updateOne: { filter: use, update: { $setOnInsert: use }, upsert: true, hint: 'use' } }));
    await this.#db.run(async () => {
      await this.#photos.collection.bulkWrite(upserts, { ordered: false });
      // Looked up after the write, as a deletion: a refusal is noted before the links go, so one sees the other.
      if (await isDeletedForecast(this.#db, tenantId, refusedReport(links))) await this.#endLinks(tenantId, forecastNo, photos);
      else if (await isDeletedForecast(this.#db, tenantId, forecastNo)) await this.#endPhotos(tenantId, forecastNo, photos);
    });
  }

  async noteRefused(refused: PhotoLinks, now: number): Promise<void> {
    const { tenantId, forecastNo, photos } = refused;
    await this.#db.run(async () => {
      await this.#noteDeleted(tenantId, refusedReport(refused), now);
      if (photos.length > 0) await this.#endLinks(tenantId, forecastNo, photos);
    });
  }

  async endFiles({ tenantId, forecastNo, files, photos, forecast }: EndedFiles, now: number): Promise<void> {
    await this.#db.run(async () => {
      const named = { tenant_id: tenantId, forecast_no: forecastNo };
      if (forecast === 'deleted') await this.#noteDeleted(tenantId, forecastNo, now);
      await retireDocuments(this.#db, tenantId, forecastNo);
      const noted = forecast === 'kept' ? [] : await this.#photos.collection.find(named, { projection: { token: 1 } }).toArray();
      await this.#endPhotos(tenantId, forecastNo, [...photos, ...noted.map(({ token }) => String(token))]);
      const used = await this.#uses.collection.find(named, { projection: { _id: 0, token: 1 }, hint: 'by_forecast' }).toArray();
      const unnamed = used.map(({ token }) => String(token)).filter((token) => !files.includes(token));
      // Before their uses go: the message names the others alone, for a repeat after a crash.
      await this.#markUnused(tenantId, unnamed, { others: { forecast_no: { $ne: forecastNo } }, isRepeat: true, now });
      await this.#endUses(tenantId, forecastNo, [...files, ...unnamed], now);
    });
  }

  async noteUpload(tenantId: string, token: string): Promise<void> {
    await this.#db.run(() => this.#contents.collection.updateOne(this.#file(tenantId, token), { $unset: { unused_since: '' } }));
  }

  async retireUnused(before: number, limit: number): Promise<number> {
    return this.#db.run(async () => {
      const options = { projection: { owner_id: 1, token: 1, unused_since: 1, recorded: 1 }, sort: { unused_since: 1 }, limit } as const;
      const unused = await this.#contents.collection.find({ unused_since: { $lt: before } }, options).toArray();
      for (const { _id, owner_id, token, unused_since, recorded } of unused) {
        const isUsed = await this.#isKept(recorded as ContentDocument['recorded'], String(owner_id), String(token));
        if (isUsed && recorded === 'hidden') await showNamed(this.#db, String(owner_id), [String(token)]);
        // On condition that it was not uploaded again, or shown again, meanwhile.
        const filter = { _id, unused_since, recorded };
        await this.#contents.collection.updateOne(filter, isUsed ? { $unset: { unused_since: '' } } : (ENDED as object));
      }
      return unused.length;
    });
  }

  forgetDeleted(before: number, limit: number): Promise<number> {
    return this.#db.run(async () => {
      const options = { projection: { _id: 1 }, sort: { deleted_at: 1 }, limit } as const;
      const old = await this.#deleted.collection.find({ deleted_at: { $lt: before } }, options).toArray();
      if (old.length === 0) return 0;
      return (await this.#deleted.collection.deleteMany({ _id: { $in: old.map(({ _id }) => _id) } })).deletedCount;
    });
  }

  /** Takes photos from a forecast, and ends those that no other has. The uses go after that: a crash before leaves them to the repeat. */
  async #endPhotos(tenantId: string, forecastNo: string, tokens: readonly string[]): Promise<void> {
    if (tokens.length === 0) return;
    const others = { $or: [{ tenant_id: { $ne: tenantId } }, { forecast_no: { $ne: forecastNo } }] };
    const kept = await this.#endUnused(photoTokens(tokens), others);
    await this.#endLinks(tenantId, forecastNo, tokens);
    // Of two forecasts that end at once each has seen the other.
    if (kept.length > 0) await this.#endUnused(kept, {});
  }

  async #endLinks(tenantId: string, forecastNo: string, tokens: readonly string[]): Promise<void> {
    const uses = { tenant_id: tenantId, forecast_no: forecastNo, token: { $in: [...tokens] } };
    await this.#photos.collection.deleteMany(uses, { hint: 'use' });
  }

  /** Remembers a deleted forecast, or a refused report, for some days. */
  async #noteDeleted(tenantId: string, forecastNo: string, now: number): Promise<void> {
    const named = { tenant_id: tenantId, forecast_no: forecastNo };
    await this.#deleted.collection.updateOne(named, { $setOnInsert: { deleted_at: now } }, { upsert: true });
  }

  /** @param others which uses keep a photo @returns the photos that are kept */
  async #endUnused(tokens: readonly string[], others: object): Promise<readonly string[]> {
    const kept = await shownAmong(this.#db, tokens, others);
    const over = tokens.filter((token) => !kept.has(token));
    if (over.length > 0) await this.#contents.collection.updateMany({ token: { $in: over }, recorded: 'photo' }, ENDED as object);
    return [...kept];
  }

  /** Takes PDFs from a forecast; those that no other uses are unused from now on. */
  async #endUses(tenantId: string, forecastNo: string, tokens: readonly string[], now: number): Promise<void> {
    if (tokens.length === 0) return;
    const uses = { tenant_id: tenantId, token: { $in: [...tokens] }, forecast_no: forecastNo };
    const { deletedCount } = await this.#uses.collection.deleteMany(uses);
    for (const token of tokens) if (token !== NO_FILE) await settleUse(this.#db, tenantId, token);
    await this.#markUnused(tenantId, tokens, { others: {}, isRepeat: deletedCount === 0, now });
  }

  /**
   * Marks PDFs as unused.
   * @param others which uses keep a PDF
   * @param isRepeat true: a PDF that is unused already stays so since then. Otherwise the time counts anew, and a look that saw the use just now changes nothing
   */
  async #markUnused(
    tenantId: string,
    tokens: readonly string[],
    { others, isRepeat, now }: { readonly others: object; readonly isRepeat: boolean; readonly now: number },
  ): Promise<void> {
    if (tokens.length === 0) return;
    const known = isRepeat ? { unused_since: { $exists: false } } : {};
    for (const token of tokens) {
      if (token === NO_FILE) continue;
      if (await this.#isUsed(tenantId, token, others)) continue;
      await this.#contents.collection.updateOne({ ...this.#file(tenantId, token), ...known }, { $set: { unused_since: now } });
    }
  }

  async #isUsed(tenantId: string, token: string, others: object = {}): Promise<boolean> {
    return (await this.#uses.collection.findOne({ tenant_id: tenantId, token, ...others }, { projection: { _id: 1 } })) !== null;
  }

  /** True of a content that is unused and stays all the same. */
  async #isKept(recorded: ContentDocument['recorded'], tenantId: string, token: string): Promise<boolean> {
    if (recorded === 'hidden') return isNamed(this.#db, tenantId, token);
    if (recorded === 'pdf') return this.#isUsed(tenantId, token);
    return (await this.#photos.collection.findOne({ token }, { projection: { _id: 1 } })) !== null;
  }

  #file(tenantId: string, token: string) {
    return { token, owner_id: tenantId, recorded: 'pdf' } as const;
  }
}

/** Never by token, which the markers of all forecasts share. */
const BY_FORECAST = { hint: 'use' } as const;

/**
 * See FileRetention.noteImages, but for a forecast that was deleted. The revision is noted last: a crash leaves the rest to the repeat of the event. What
 * is unused is looked up once more before it ends, so an image that another forecast takes at the same moment stays.
 */
export async function noteImages(db: MongoDatabase, { tenantId, forecastNo, revision, images }: OwnImages, now: number): Promise<void> {
  const uses = db.model(photoUses).collection;
  const own = { tenant_id: tenantId, forecast_no: forecastNo };
  const known = await uses
    .find({ ...own, revision: { $exists: true } }, { projection: { _id: 0, token: 1, revision: 1 }, ...BY_FORECAST })
    .toArray();
  const noted = known.find(({ token }) => token === MARK)?.['revision'] ?? 0;
  if (revision <= Number(noted)) return;
  const image = (token: string) => ({ token, owner_id: tenantId, recorded: 'photo' }) as const;
  for (const token of images) {
    await uses.updateOne({ ...own, token }, { $set: { revision } }, { upsert: true, ...BY_FORECAST });
    await db.model(contents).collection.updateOne(image(token), { $unset: { unused_since: '' } });
  }
  const removed = photoTokens(known.map(({ token }) => String(token))).filter((token) => !images.includes(token));
  if (removed.length > 0) {
    await uses.deleteMany({ ...own, token: { $in: removed } }, BY_FORECAST);
    const shown = await shownAmong(db, removed);
    for (const token of removed) {
      if (!shown.has(token)) await db.model(contents).collection.updateOne(image(token), { $set: { unused_since: imageUnusedSince(now) } });
    }
  }
  await uses.updateOne({ ...own, token: MARK }, { $set: { revision } }, { upsert: true, ...BY_FORECAST });
}
