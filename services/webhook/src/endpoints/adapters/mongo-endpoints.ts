import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import type { mongo } from 'mongoose';
import { type Endpoint, idInUse } from '../domain/endpoint.ts';
import type { EndpointStore } from '../ports.ts';
import { AT_ONCE, collectionOf } from './mongo-access.ts';
import { type EndpointDocument, endpointFields, endpointOf, endpoints, SLOT_INDEX } from './mongo-endpoint-documents.ts';

type Endpoints = mongo.Collection<EndpointDocument>;

/** What an endpoint has that is not deleted. */
export const LIVE = { slot: { $exists: true } } as const;

function firstFree(slots: readonly (number | undefined)[]): number {
  const taken = new Set(slots);
  let slot = 0;
  while (taken.has(slot)) slot += 1;
  return slot;
}

async function insertAt(collection: Endpoints, endpoint: Endpoint, slot: number): Promise<true | undefined> {
  const { tenantId, endpointId } = endpoint;
  try {
    await collection.insertOne({ _id: endpointId, tenant_id: tenantId, slot, ...endpointFields(endpoint), version: 1 });
    return true;
  } catch (error) {
    if (isDuplicateKey(error, SLOT_INDEX)) return undefined;
    throw isDuplicateKey(error) ? idInUse(error) : error;
  }
}

/**
 * Writes the new state of an endpoint unless somebody was quicker, and marks one that becomes disabled for the maintenance.
 * @param read the document that the new state was made from
 * @returns false when it has changed since
 */
export async function writeEndpoint(collection: Endpoints, read: EndpointDocument, changed: Endpoint): Promise<boolean> {
  const becomesDisabled = changed.status === 'disabled' && read.status !== 'disabled';
  const set = { ...endpointFields(changed), ...(becomesDisabled ? { sweep: 'hold' as const } : {}) };
  const unset = changed.status === 'disabled' ? {} : { $unset: { sweep: '' as const } };
  const { matchedCount } = await collection.updateOne(
    { _id: read._id, version: read.version, ...LIVE },
    { $set: set, $inc: { version: 1 }, ...unset },
  );
  return matchedCount === 1;
}

/** The older first. */
export function byAge(a: Endpoint, b: Endpoint): number {
  return a.createdAt - b.createdAt || (a.endpointId < b.endpointId ? -1 : 1);
}

/**
 * The endpoints in MongoDB.
 *
 * Crashes and races: every method is one write of one document. A tenant's limit is a set of places, each of which a
 * unique index gives to one endpoint; a deleted endpoint frees its place in the write that deletes it. A change names
 * the version that it was made from. What becomes disabled or deleted carries a mark until the maintenance of any process has
 * seen to its deliveries.
 */
export function createMongoEndpoints(db: MongoDatabase): EndpointStore {
  const collection = collectionOf(db, endpoints);
  const find = (tenantId: string, endpointId: string): Promise<EndpointDocument | null> =>
    collection.findOne({ _id: endpointId, tenant_id: tenantId, ...LIVE });

  return {
    insert: (endpoint, max) =>
      db.run(() =>
        untilWritten(async () => {
          const place = { tenant_id: endpoint.tenantId, ...LIVE };
          const taken = await collection.find(place, { projection: { _id: 0, slot: 1 } }).toArray();
          if (taken.length >= max) return false;
          return insertAt(collection, endpoint, firstFree(taken.map(({ slot }) => slot)));
        }),
      ),
    list: (tenantId) =>
      db.run(async () => (await collection.find({ tenant_id: tenantId, ...LIVE }, AT_ONCE).toArray()).map(endpointOf).sort(byAge)),
    get: (tenantId, endpointId) =>
      db.run(async () => {
        const found = await find(tenantId, endpointId);
        return found ? endpointOf(found) : undefined;
      }),
    present: (known) =>
      db.run(async () => {
        const ids = known.map(({ endpointId }) => endpointId);
        const found = await collection.find({ _id: { $in: ids }, ...LIVE }, AT_ONCE).toArray();
        return found.map(endpointOf);
      }),
    async update(tenantId, endpointId, change) {
      const { endpoint } = await db.run(() =>
        untilWritten(async () => {
          const read = await find(tenantId, endpointId);
          if (!read) return { endpoint: undefined };
          const endpoint = change(endpointOf(read));
          return (await writeEndpoint(collection, read, endpoint)) ? { endpoint } : undefined;
        }),
      );
      return endpoint;
    },
    remove: (tenantId, endpointId) =>
      db.run(async () => {
        const erased = { secret: '', former_secret: null, paused_at: null, disabling_to_publish: null, sweep: 'purge' } as const;
        const { matchedCount } = await collection.updateOne(
          { _id: endpointId, tenant_id: tenantId, ...LIVE },
          { $set: erased, $unset: { slot: '' }, $inc: { version: 1 } },
        );
        return matchedCount === 1;
      }),
  };
}
