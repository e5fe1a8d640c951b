import { untilWritten } from '@parcelway/kernel/optimistic-write';
import { collection } from '@parcelway/store/collection';
import type { Store, Write } from '@parcelway/store/store';
import Type from 'typebox';
import { beginAgain, beginErasure, type ErasureRecord, erasureFields } from './domain/erasure.ts';

/** Erasures of tenants. */
export const erasures = collection(
  'erasures',
  Type.Object(
    {
      ...erasureFields,
      /** From when on any process may take it; missing once it is finished. */
      dueAt: Type.Optional(Type.Integer()),
      /** The process that works on it; missing while none does. */
      owner: Type.Optional(Type.String()),
    },
    { additionalProperties: false },
  ),
  {
    describe: 'When tenants were erased, and how many records of each kind',
    key: ['tenantId'],
    lists: { due: ['dueAt'], owner: ['owner'] },
    tenant: { none: 'it outlives the tenant' },
    shard: { unsharded: 'one small document for each erased tenant' },
    ends: 'never',
  },
);

type Erasure = NonNullable<(typeof erasures)['document']>;

const recordOf = ({ dueAt: _due, owner: _owner, ...erasure }: Erasure): ErasureRecord => erasure;

/** What a change of the record sets. */
const progressOf = ({ tenantId: _tenant, ...set }: ErasureRecord): Partial<Erasure> => set;

/** @returns the record; undefined when another was quicker */
async function written(store: Store, write: Write<Erasure>, record: ErasureRecord): Promise<ErasureRecord | undefined> {
  const [outcome] = await store.apply([write as Write]);
  return outcome?.kind === 'written' ? record : undefined;
}

/** The erasure of a tenant; undefined when there is none. */
export async function erasureOf(store: Store, tenantId: string): Promise<ErasureRecord | undefined> {
  const stored = await store.get(erasures, [tenantId]);
  return stored && recordOf(stored.value);
}

/**
 * Writes a new erasure, or one that begins again. One that waits because it failed is tried at once and has no failures any more; one that a process works on
 * stays as it is.
 * @returns the erasure afterwards
 */
export function beginErasureOf(store: Store, tenantId: string, now: number): Promise<ErasureRecord> {
  return untilWritten(async () => {
    const stored = await store.get(erasures, [tenantId]);
    if (stored === undefined) {
      const record = beginErasure(tenantId, now);
      return written(store, { in: erasures, insert: { ...record, dueAt: now } }, record);
    }
    const record = recordOf(stored.value);
    if (record.finishedAt === null && stored.value.owner !== undefined) return record;
    const again = beginAgain(record);
    return written(store, { in: erasures, patch: stored, set: { ...progressOf(again), dueAt: now } }, again);
  });
}

/** Changes an erasure of an owner that is not finished. @returns false when it is another's by now */
async function changeOwn(store: Store, tenantId: string, owner: string, decide: (erasure: Erasure) => object): Promise<boolean> {
  const { result } = await store.change([{ in: erasures, keys: [[tenantId]] }], (known) => {
    const stored = known.get(erasures, [tenantId]);
    if (stored?.value.owner !== owner) return { writes: [], result: false };
    return { writes: [{ in: erasures, patch: stored, set: decide(stored.value) }], result: true };
  });
  return result;
}

/**
 * Takes an erasure that is not finished and that no other process works on.
 * @param until end of the lease, epoch milliseconds; every {@link saveErasure} renews it
 */
export async function leaseErasure(store: Store, owner: string, now: number, until: number): Promise<ErasureRecord | undefined> {
  const taken = await untilWritten(async () => {
    const due = await store.find(erasures.by.due, { eq: [], to: now + 1, limit: 1 });
    const [stored] = due.items.length > 0 ? due.items : (await store.find(erasures.by.owner, { eq: [owner], limit: 1 })).items;
    if (stored === undefined) return { record: undefined };
    const record = await written(store, { in: erasures, patch: stored, set: { owner, dueAt: until } }, recordOf(stored.value));
    return record && { record };
  });
  return taken.record;
}

/** Gives an erasure that failed back until it is to be tried again. Does nothing when another process has taken it. @param until epoch milliseconds */
export async function postponeErasure(store: Store, tenantId: string, owner: string, failure: string, until: number): Promise<void> {
  await changeOwn(store, tenantId, owner, ({ failures }) => ({ owner: undefined, dueAt: until, failure, failures: failures + 1 }));
}

/** Writes the progress. @returns false when another process has taken the erasure; nothing changes then */
export function saveErasure(store: Store, record: ErasureRecord, owner: string, until: number): Promise<boolean> {
  const lease = record.finishedAt === null ? { dueAt: until } : { dueAt: undefined, owner: undefined };
  return changeOwn(store, record.tenantId, owner, () => ({ ...progressOf(record), ...lease }));
}
