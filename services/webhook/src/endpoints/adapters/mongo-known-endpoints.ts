import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { LRUCache } from 'lru-cache';
import type { mongo } from 'mongoose';
import type { Endpoint } from '../domain/endpoint.ts';
import { AT_ONCE, collectionOf } from './mongo-access.ts';
import { type EndpointDocument, endpointOf, endpoints } from './mongo-endpoint-documents.ts';
import { byAge, LIVE } from './mongo-endpoints.ts';

/** Endpoints that are kept, and the characters of what their tenants have written, at most. */
const KEPT = { endpoints: 20_000, characters: 8_000_000 } as const;

/**
 * Says which state of which endpoint a document has. The version alone does not: one that is created again under the id of a deleted one counts from the
 * beginning, and so does a store that was put back to an earlier time.
 */
type State = Pick<EndpointDocument, '_id' | 'version' | 'created_at' | 'updated_at'>;

const STATE = { version: 1, created_at: 1, updated_at: 1 } as const;

interface KnownEndpoint {
  readonly state: State;
  readonly endpoint: Endpoint;
}

function isSame(a: State, b: State): boolean {
  return a.version === b.version && a.created_at === b.created_at && a.updated_at === b.updated_at;
}

function charactersOf({ url, description, filter, headers, metadata }: EndpointDocument): number {
  return [url, description, filter, headers, metadata].reduce((sum, text) => sum + (text?.length ?? 0), 1);
}

/**
 * Endpoints of tenants as they are now, of which only those that have changed are read whole: a batch of events asks for as many endpoints as it has
 * tenants, and they seldom change. Every write of an endpoint counts its version, so what is returned is never older than a read at the time of the call.
 */
export class KnownEndpoints {
  readonly #collection: mongo.Collection<EndpointDocument>;
  readonly #known = new LRUCache<string, KnownEndpoint>({ max: KEPT.endpoints, maxSize: KEPT.characters });

  constructor(db: MongoDatabase) {
    this.#collection = collectionOf(db, endpoints);
  }

  /** The endpoints of tenants that are not deleted, by tenant, the older first. To be called within `run` of the database. */
  async ofTenants(tenantIds: readonly string[]): Promise<ReadonlyMap<string, readonly Endpoint[]>> {
    const states = await this.#collection
      .find<State>({ tenant_id: { $in: [...tenantIds] }, ...LIVE }, { projection: STATE, ...AT_ONCE })
      .toArray();
    const known: Endpoint[] = [];
    const unknown: string[] = [];
    for (const state of states) {
      const found = this.#known.get(state._id);
      if (found !== undefined && isSame(found.state, state)) known.push(found.endpoint);
      else unknown.push(state._id);
    }
    const all = [...known, ...(await this.#read(unknown))];
    const byTenant = new Map<string, Endpoint[]>();
    for (const endpoint of all.sort(byAge)) {
      const its = byTenant.get(endpoint.tenantId);
      if (its) its.push(endpoint);
      else byTenant.set(endpoint.tenantId, [endpoint]);
    }
    return byTenant;
  }

  async #read(ids: readonly string[]): Promise<readonly Endpoint[]> {
    if (ids.length === 0) return [];
    const documents = await this.#collection.find({ _id: { $in: [...ids] }, ...LIVE }, AT_ONCE).toArray();
    return documents.map((document) => {
      const endpoint = endpointOf(document);
      const { _id, version, created_at, updated_at } = document;
      this.#known.set(_id, { state: { _id, version, created_at, updated_at }, endpoint }, { size: charactersOf(document) });
      return endpoint;
    });
  }
}
