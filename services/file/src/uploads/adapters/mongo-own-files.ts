import { MAX_COUNTED_USES, MAX_SHOWN_USES } from '@parcelway/contracts/own-files-api';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { contents, type RecordedContent, toFile } from '../../adapters/mongo-schema.ts';
import type { StoredFile } from '../../domain/stored-file.ts';
import { CURRENT, isNamed, showNamed } from '../../retention/adapters/mongo-file-uses.ts';
import { fileUses } from '../../retention/adapters/mongo-retention-schema.ts';
import type { FileQuery, FileUses, HideOutcome, OwnFiles } from '../ports.ts';

/** The filter of a page; of equal times, the token decides. */
function timesOf({ uploadedFrom, uploadedTo, after }: FileQuery): object {
  const times = [
    ...(uploadedFrom === undefined ? [] : [{ uploaded_at: { $gte: uploadedFrom } }]),
    ...(uploadedTo === undefined ? [] : [{ uploaded_at: { $lt: uploadedTo } }]),
    ...(after === undefined
      ? []
      : [
          { uploaded_at: { $lte: after.uploadedAt } },
          { $or: [{ uploaded_at: { $lt: after.uploadedAt } }, { token: { $lt: after.token } }] },
        ]),
  ];
  return times.length === 0 ? {} : { $and: times };
}

/** A tenant's own view of its files in MongoDB. */
export class MongoOwnFiles implements OwnFiles {
  readonly #db: MongoDatabase;

  /** @param db migrated with fileCollections */
  constructor(db: MongoDatabase) {
    this.#db = db;
  }

  async list(tenantId: string, query: FileQuery): Promise<readonly StoredFile[]> {
    const { isUsed, limit } = query;
    const used = isUsed === undefined ? {} : { is_used: isUsed };
    const filter = { owner_id: tenantId, recorded: 'pdf', ...used, ...timesOf(query) };
    const hint = isUsed === undefined ? 'shown' : 'shown_by_use';
    const sort = { uploaded_at: -1, token: -1 } as const;
    const found = await this.#db.run(() => this.#contents.find(filter as object, { sort, limit, hint }).toArray());
    return found.map((document) => toFile(document as unknown as RecordedContent));
  }

  async find(tenantId: string, attachmentId: number): Promise<StoredFile | undefined> {
    const found = await this.#db.run(() => this.#find(tenantId, attachmentId));
    return found?.recorded === 'pdf' ? toFile(found) : undefined;
  }

  usesOf(tenantId: string, token: string): Promise<FileUses> {
    return this.#db.run(async () => {
      const collection = this.#db.model(fileUses).collection;
      const filter = { tenant_id: tenantId, token, ...CURRENT } as object;
      const options = { sort: { forecast_no: -1 }, limit: MAX_SHOWN_USES, hint: 'current' } as const;
      const uses = (await collection.find(filter, options).toArray()).map(({ forecast_no, po_number, fields }) => ({
        forecastNo: String(forecast_no),
        poNumber: (po_number ?? null) as string | null,
        fields: (fields ?? []) as readonly string[],
      }));
      if (uses.length < MAX_SHOWN_USES) return { uses, count: uses.length };
      return { uses, count: await collection.countDocuments(filter, { limit: MAX_COUNTED_USES, hint: 'current' }) };
    });
  }

  hide(tenantId: string, attachmentId: number, now: number): Promise<HideOutcome> {
    return this.#db.run(async () => {
      const file = await this.#find(tenantId, attachmentId);
      if (file === null) return 'missing';
      if (file.recorded === 'hidden') return 'hidden';
      const { token } = file;
      if (await isNamed(this.#db, tenantId, token)) return 'used';
      const hidden = { $set: { recorded: 'hidden', unused_since: now, is_used: false } } as const;
      await this.#contents.updateOne({ _id: file._id, recorded: 'pdf' }, hidden);
      // A use that was noted meanwhile may have looked for a hidden file before this one was.
      if (!(await isNamed(this.#db, tenantId, token))) return 'hidden';
      await showNamed(this.#db, tenantId, [token]);
      return 'used';
    });
  }

  get #contents() {
    return this.#db.model(contents).collection;
  }

  async #find(tenantId: string, attachmentId: number): Promise<(RecordedContent & { readonly _id: never }) | null> {
    const filter = { owner_id: tenantId, number: attachmentId, recorded: { $in: ['pdf', 'hidden'] } } as const;
    return (await this.#contents.findOne(filter, { hint: 'by_number' })) as never;
  }
}
