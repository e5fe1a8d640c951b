import type { Blobs } from '@parcelway/blobs/blobs';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { mongoKind } from '@parcelway/mongo/mongo-tenant-data';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { createErasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKind } from '@parcelway/store/shared/idempotency-keys';
import { usageKind } from '@parcelway/store/shared/usage-days';
import { contents } from '../../adapters/mongo-schema.ts';
import type { FileTenantData } from '../../ports.ts';
import { deletedForecasts, fileUses, photoTokens, photoUses, shownAmong } from '../../retention/adapters/mongo-retention-schema.ts';

/** Contents are found by their owner, in the order of their keys. */
const owned = { owner: 'owner_id', order: 'storage_key' } as const;

type Document = Readonly<Record<string, unknown>>;

function fileOf(document: Document): Document {
  const { md5, sha256, name, size, uploaded_at, token, findings } = document;
  return {
    md5,
    sha256,
    name,
    size,
    uploaded_at,
    token,
    findings: findings === undefined ? null : (JSON.parse(String(findings)) as unknown),
  };
}

function imageOf({ md5, sha256, media_type, size, uploaded_at, token }: Document): Document {
  return { md5, sha256, media_type, size, uploaded_at, token };
}

function documentsOf({ forecast_no, version, size, generated_at }: Document): Document {
  return { forecast_no, version, size, generated_at };
}

/** What the service stores about tenants, in MongoDB and in the object store. @param db migrated with the collections of the service */
export function createMongoTenantData(db: MongoDatabase, blobs: Blobs): FileTenantData {
  const photos = db.model(contents).collection;
  const forget = async (documents: readonly Document[]): Promise<void> => {
    await Promise.all(documents.map(({ storage_key }) => blobs.delete(String(storage_key))));
  };
  const erasePhotos = async (tenantId: string, tokens: readonly string[]): Promise<number> => {
    const kept = await shownAmong(db, tokens, { tenant_id: { $ne: tenantId } });
    const own = photoTokens(tokens).filter((token) => !kept.has(token));
    if (own.length === 0) return 0;
    const found = await photos.find({ token: { $in: own }, recorded: 'photo' }).toArray();
    if (found.length === 0) return 0;
    await forget(found);
    return (await photos.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } })).deletedCount;
  };
  return {
    kinds: [
      mongoKind(db, contents, { name: 'files', owned, only: { recorded: { $in: ['pdf', 'hidden'] } }, record: fileOf, isCopy: true }),
      mongoKind(db, contents, { name: 'images', owned, only: { recorded: 'photo' }, record: imageOf, isCopy: true }),
      mongoKind(db, contents, { name: 'documents', owned, only: { recorded: 'document' }, record: documentsOf, isCopy: true }),
      // The object first: a crash leaves a document whose object the repeat does not find. What is not recorded is left to the sweep of uploads.
      mongoKind(db, contents, {
        name: 'contents',
        owned,
        only: { recorded: { $exists: true } },
        record: null,
        batch: 20,
        before: (_tenantId, documents) => forget(documents),
      }),
      mongoKind(db, fileUses, { name: 'file_uses', owned: { owner: 'tenant_id', order: 'token' }, record: null }),
      // With the photos that nobody else has, which no forecast may name any more.
      mongoKind(db, photoUses, {
        name: 'photo_uses',
        owned: { owner: 'tenant_id', order: 'forecast_no' },
        record: null,
        batch: 20,
        before: async (tenantId, documents) =>
          void (await erasePhotos(tenantId, [...new Set(documents.map(({ token }) => String(token)))])),
      }),
      mongoKind(db, deletedForecasts, { name: 'deleted_forecasts', owned: { owner: 'tenant_id', order: 'forecast_no' }, record: null }),
      idempotencyKind(createMongoStore(db)),
      usageKind(createMongoStore(db)),
    ],
    erased: createErasedTenants(createMongoStore(db)),
    photos: { erasePhotos: (tenantId, tokens) => db.run(() => erasePhotos(tenantId, tokens)) },
  };
}
