import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { usageDays } from '@parcelway/store/shared/usage-days';
import type { Store } from '@parcelway/store/store';
import { mongo } from 'mongoose';
import { contents } from '../../adapters/mongo-schema.ts';
import type { StoragePage, StoredContents, StoredKind } from '../ports.ts';

/** How what is measured is recorded, and the index that has it in the order of the measurement. */
const KINDS = {
  pdf: { recorded: 'pdf', hint: 'stored_pdfs' },
  image: { recorded: 'photo', hint: 'stored_photos' },
} as const;

/** Every id of a tenant begins so, and lies between these two: the other owners of photos are warehouses. */
const FIRST_TENANT = 'tnt_';
const BEHIND_TENANTS = 'tnt`';

/** What tenants have stored, in MongoDB. */
export class MongoStorage implements StoredContents {
  readonly #db: MongoDatabase;
  readonly #store: Store;

  /** @param db migrated with fileCollections */
  constructor(db: MongoDatabase) {
    this.#db = db;
    this.#store = createMongoStore(db);
  }

  async nextTenant(after: string): Promise<string | undefined> {
    const range = { $gt: after < FIRST_TENANT ? FIRST_TENANT : after, $lt: BEHIND_TENANTS };
    const found = await Promise.all([this.#nextOwner('pdf', range), this.#nextOwner('image', range), this.#nextUser(range)]);
    return found
      .flatMap((tenantId) => tenantId ?? [])
      .sort()
      .at(0);
  }

  page(tenantId: string, kind: StoredKind, after: string, limit: number): Promise<StoragePage> {
    const { recorded, hint } = KINDS[kind];
    const behind = after === '' ? {} : { _id: { $gt: new mongo.ObjectId(after) } };
    return this.#db.run(async () => {
      const options = { projection: { _id: 1, size: 1 }, sort: { _id: 1 }, limit, hint } as const;
      const found = await this.#contents.find({ owner_id: tenantId, recorded, ...behind }, options).toArray();
      const bytes = found.reduce((sum, { size }) => sum + Number(size), 0);
      return { files: found.length, bytes, last: found.at(-1)?._id.toHexString() ?? '' };
    });
  }

  get #contents() {
    return this.#db.model(contents).collection;
  }

  async #nextOwner(kind: StoredKind, range: object): Promise<string | undefined> {
    const { recorded, hint } = KINDS[kind];
    const options = { projection: { _id: 0, owner_id: 1 }, sort: { owner_id: 1 }, hint } as const;
    const found = await this.#db.run(() => this.#contents.findOne({ recorded, owner_id: range }, options));
    return found?.['owner_id'] as string | undefined;
  }

  /** Whoever has had files has days of usage: each measurement adds one. */
  async #nextUser({ $gt: after }: { readonly $gt: string }): Promise<string | undefined> {
    return (await this.#store.groups(usageDays.by.days, { after, limit: 1 }))[0]?.group as string | undefined;
  }
}
