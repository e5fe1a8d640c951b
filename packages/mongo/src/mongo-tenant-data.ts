import type { ListedRecord, TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { mongo } from 'mongoose';
import type { MongoCollection } from './mongo-collection.ts';
import type { MongoDatabase } from './mongo-database.ts';

/** Documents that one step reads or deletes. */
const TENANT_BATCH = 100;

/**
 * How the documents of a tenant are found, by one index that begins with the tenant: `_id`s that begin with the tenant and a separator, or
 * a field for the owner and one that orders the documents of an owner.
 */
export type Owned = { readonly separator: ' ' | '/' } | { readonly owner: string; readonly order: string };

type Filter = Readonly<Record<string, unknown>>;
type Document = Readonly<Record<string, unknown>>;

/** A kind of data of a tenant in a collection; see TenantDataKind. */
export interface MongoKind {
  readonly name: string;
  readonly owned: Owned;
  /** Which of the documents; default all. */
  readonly only?: Filter;
  /** Default {@link withoutOutbox}. Absent when null: the kind is deleted only. */
  readonly record?: ((document: Document) => Document | Promise<Document>) | null;
  /** Deletes what lies elsewhere, before the documents are deleted. */
  readonly before?: (tenantId: string, documents: readonly Document[]) => Promise<void>;
  /** Documents that one step reads or deletes; default {@link TENANT_BATCH}. */
  readonly batch?: number;
  /** True when the kind is listed only. */
  readonly isCopy?: boolean;
}

/** A document without what serves its publication. */
export function withoutOutbox({
  _id,
  outbox: _outbox,
  outbox_due: _due,
  outbox_since: _since,
  outbox_lease: _lease,
  ...rest
}: Document): Document {
  return rest;
}

/** The filter of a tenant's documents behind a place, and the field that they are ordered by. */
export function ownedBy(owned: Owned, tenantId: string, after: string | null): { readonly filter: Filter; readonly order: string } {
  if ('separator' in owned) {
    const end = `${tenantId}${String.fromCharCode(owned.separator.charCodeAt(0) + 1)}`;
    return { filter: { _id: { $gt: after ?? `${tenantId}${owned.separator}`, $lt: end } }, order: '_id' };
  }
  const behind = after === null ? {} : { [owned.order]: { $gt: JSON.parse(after) as unknown } };
  return { filter: { [owned.owner]: tenantId, ...behind }, order: owned.order };
}

const placeOf = (owned: Owned, document: Document): string =>
  'separator' in owned ? String(document['_id']) : JSON.stringify(document[owned.order]);

/** The kind over a collection. A step finds its documents by an index of the tenant, and deletes them by their ids. */
export function mongoKind(db: MongoDatabase, collection: MongoCollection<unknown>, kind: MongoKind): TenantDataKind {
  const { name, owned, only = {}, record = withoutOutbox, before, batch = TENANT_BATCH, isCopy = false } = kind;
  const documents = db.model(collection).collection as unknown as mongo.Collection<{ _id: string }>;
  const find = (tenantId: string, after: string | null): Promise<Document[]> => {
    const { filter, order } = ownedBy(owned, tenantId, after);
    return documents
      .find({ ...filter, ...only } as object)
      .sort({ [order]: 1 })
      .limit(batch)
      .toArray() as Promise<Document[]>;
  };
  return {
    name,
    ...(record !== null && {
      list: (tenantId: string, after: string | null) =>
        db.run(async () => {
          const found = await find(tenantId, after);
          return Promise.all(found.map(async (one): Promise<ListedRecord> => ({ cursor: placeOf(owned, one), record: await record(one) })));
        }),
    }),
    ...(!isCopy && {
      erase: (tenantId: string) =>
        db.run(async () => {
          const found = await find(tenantId, null);
          if (found.length === 0) return 0;
          await before?.(tenantId, found);
          // Some have ids that are no texts.
          await documents.deleteMany({ _id: { $in: found.map(({ _id }) => _id as string) } });
          return found.length;
        }),
    }),
  };
}
