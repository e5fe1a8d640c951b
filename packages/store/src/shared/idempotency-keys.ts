import {
  IDEMPOTENCY_KEPT_MS,
  type IdempotencyRecord,
  type IdempotencyScope,
  type IdempotencyStore,
  type RecordedResponse,
} from '@parcelway/kernel/idempotency-store';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import Type, { type Static } from 'typebox';
import { collection, type Key, nameOfKey } from '../collection.ts';
import type { Known, Store, Stored, Write } from '../store.ts';

const schema = Type.Object(
  {
    ownerId: Type.String(),
    route: Type.String(),
    key: Type.String(),
    fingerprint: Type.String(),
    seed: Type.String(),
    claim: Type.String(),
    claimedUntil: Type.Integer(),
    createdAt: Type.Integer(),
    status: Type.Optional(Type.Integer()),
    body: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

type Document = Static<typeof schema>;

/** The idempotency keys of a service, with what was responded. */
export const idempotencyKeys = collection('idempotency_keys', schema, {
  describe: 'Idempotency keys of requests, with the responses that a repeat gets',
  key: ['ownerId', 'route', 'key'],
  lists: { owner: ['ownerId'], age: ['createdAt'] },
  tenant: 'ownerId',
  shard: 'ownerId',
  ends: [{ by: 'age', keptMs: IDEMPOTENCY_KEPT_MS }],
  // A response may have a secret.
  copy: { record: ({ route, key, createdAt, status = null }) => ({ route, key, created_at: createdAt, status }) },
});

/** Requests under way at most of which is remembered what was added. */
const MAX_ADDED = 10_000;

const keyOf = ({ ownerId, route, key }: IdempotencyScope): Key => [ownerId, route, key];

function recordOf({ status, body, ...record }: Document): IdempotencyRecord {
  return { ...record, response: status === undefined || body === undefined ? null : { status, body } };
}

function documentOf({ response, ...record }: IdempotencyRecord): Document {
  return { ...record, ...(response !== null && { status: response.status, body: response.body }) };
}

/** Keeps the idempotency keys of a service. @param store with {@link idempotencyKeys} */
export function createIdempotencyStore(store: Store): IdempotencyStore {
  /** What this process has added, until it has a response: then no read is needed. */
  const added = new Map<string, Stored<Document>>();
  const takeAdded = (scope: IdempotencyScope): Stored<Document> | undefined => {
    const name = nameOfKey(keyOf(scope));
    const stored = added.get(name);
    added.delete(name);
    return stored;
  };
  /** Changes the record of a scope, if `decide` says how. */
  const change = async <R>(
    scope: IdempotencyScope,
    decide: (stored: Stored<Document>) => { readonly set?: Partial<Document>; readonly result: R },
  ) => {
    const { result } = await store.change([{ in: idempotencyKeys, keys: [keyOf(scope)] }], (known: Known) => {
      const stored = known.get(idempotencyKeys, keyOf(scope));
      const decision = stored && decide(stored);
      if (stored === undefined || decision?.set === undefined) return { writes: [], result: decision?.result };
      return { writes: [{ in: idempotencyKeys, patch: stored, set: decision.set }], result: decision.result };
    });
    return result;
  };
  return {
    add: async (record) =>
      (
        await untilWritten(async () => {
          const value = documentOf(record);
          const [outcome] = await store.apply([{ in: idempotencyKeys, insert: value }]);
          if (outcome?.kind === 'written') {
            if (added.size < MAX_ADDED) added.set(nameOfKey(keyOf(record)), { value, version: outcome.version });
            return { known: undefined };
          }
          // The one that was in the way is gone by now: the key is free again.
          if (outcome?.kind !== 'taken' || outcome.holder === undefined) return undefined;
          return { known: recordOf(outcome.holder.value as Document) };
        })
      ).known,
    async replace(record, claim) {
      const set = { status: undefined, body: undefined, ...documentOf(record) };
      const { ownerId: _owner, route: _route, key: _key, ...fields } = set;
      const isReplaced = await change(record, ({ value }) => (value.claim === claim ? { set: fields, result: true } : { result: false }));
      return isReplaced ?? false;
    },
    async complete(scope, seed, response) {
      const stored = takeAdded(scope);
      if (stored?.value.seed === seed) {
        const set = { status: response.status, body: response.body };
        const [outcome] = await store.apply([{ in: idempotencyKeys, patch: stored as Stored, set } as Write]);
        if (outcome?.kind === 'written') return response;
      }
      return change<RecordedResponse | undefined>(scope, ({ value }) => {
        if (value.seed !== seed) return { result: undefined };
        const recorded = recordOf(value).response;
        return recorded === null ? { set: { status: response.status, body: response.body }, result: response } : { result: recorded };
      });
    },
    async release(scope, claim) {
      takeAdded(scope);
      await change(scope, ({ value }) => ({
        ...(value.claim === claim && value.status === undefined && { set: { claimedUntil: 0 } }),
        result: undefined,
      }));
    },
  };
}
