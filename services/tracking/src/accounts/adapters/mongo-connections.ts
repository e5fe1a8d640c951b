import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import { registrationsOf } from '../domain/call-ledger.ts';
import { grantedLimits, writtenLimits } from '../domain/granted-limits.ts';
import type { ConnectionStore, StoredConnection } from '../ports.ts';
import { type ConnectionDocument, callLedgers, connections, SLOT_INDEX } from './mongo-schema.ts';

const OPERATOR = '';

function connectionOf(document: ConnectionDocument): StoredConnection {
  return {
    connectionId: document._id,
    tenantId: document.owner === OPERATOR ? null : document.owner,
    source: document.source,
    baseUrl: document.base_url,
    carriers: document.carriers,
    limits: document.limits === undefined ? null : grantedLimits(document.limits),
    sealedCredentials: document.sealed_credentials,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}

function documentOf(one: StoredConnection, slot: number): ConnectionDocument {
  return {
    _id: one.connectionId,
    owner: one.tenantId ?? OPERATOR,
    slot,
    source: one.source,
    base_url: one.baseUrl,
    carriers: one.carriers,
    ...(one.limits !== null && { limits: writtenLimits(one.limits) }),
    sealed_credentials: one.sealedCredentials,
    created_at: one.createdAt,
    updated_at: one.updatedAt,
  };
}

function firstFree(taken: readonly number[]): number {
  const slots = new Set(taken);
  let slot = 0;
  while (slots.has(slot)) slot += 1;
  return slot;
}

/**
 * Connections in MongoDB, for any number of processes.
 *
 * Races: two inserts of one owner take different places, as the index makes sure; the one that loses looks again.
 */
export function createMongoConnections(db: MongoDatabase): ConnectionStore {
  const model = db.model(connections);
  const ledgers = db.model(callLedgers);

  /** Undefined when another process took the place. */
  const attempt = async (one: StoredConnection, limit: number): Promise<boolean | undefined> => {
    const taken = await model.find({ owner: one.tenantId ?? OPERATOR }, { slot: 1 }).lean();
    if (taken.length >= limit) return false;
    const document = documentOf(one, firstFree(taken.map(({ slot }) => slot)));
    try {
      await model.collection.insertOne(document as object);
      return true;
    } catch (error) {
      if (isDuplicateKey(error, SLOT_INDEX)) return undefined;
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  return {
    insert: (one, limit) => db.run(() => untilWritten(() => attempt(one, limit))),

    list: (tenantId) =>
      db.run(async () => {
        const found = await model.find({ owner: tenantId ?? OPERATOR }).lean<ConnectionDocument[]>();
        const oldestFirst = found.sort((a, b) => a.created_at - b.created_at || (a._id < b._id ? -1 : 1));
        return oldestFirst.map((document) => connectionOf(document));
      }),

    get: (connectionId) =>
      db.run(async () => {
        const found = await model.findOne({ _id: connectionId }).lean<ConnectionDocument>();
        return found ? connectionOf(found) : undefined;
      }),

    page: (after, limit) =>
      db.run(async () => {
        const found = await model
          .find({ _id: { $gt: after ?? '' } })
          .sort({ _id: 1 })
          .limit(limit)
          .lean<ConnectionDocument[]>();
        return found.map((document) => connectionOf(document));
      }),

    replace: (before, after) =>
      db.run(async () => {
        const { matchedCount } = await model.updateOne(
          { _id: before.connectionId, sealed_credentials: before.sealedCredentials, updated_at: before.updatedAt },
          {
            $set: {
              base_url: after.baseUrl,
              carriers: [...after.carriers],
              sealed_credentials: after.sealedCredentials,
              updated_at: after.updatedAt,
              ...(after.limits !== null && { limits: writtenLimits(after.limits) }),
            },
            ...(after.limits === null && { $unset: { limits: '' } }),
          },
        );
        return matchedCount === 1;
      }),

    remove: (tenantId, connectionId) =>
      db.run(async () => {
        const { deletedCount } = await model.deleteOne({ _id: connectionId, owner: tenantId ?? OPERATOR });
        if (deletedCount === 1) await ledgers.deleteMany({ _id: { $in: [connectionId, registrationsOf(connectionId)] } });
        return deletedCount === 1;
      }),
  };
}
