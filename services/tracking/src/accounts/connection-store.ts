import { MAX_CONNECTIONS } from '@parcelway/contracts/carrier-connection-api';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import { tenantKind } from '@parcelway/store/shared/tenant-kind';
import type { Known, Store, Write } from '@parcelway/store/store';
import { callLedgers, connections } from './connection-collections.ts';
import { registrationsOf } from './domain/call-ledger.ts';
import type { StoredConnection } from './domain/connection.ts';

type Document = NonNullable<(typeof connections)['document']>;

const OPERATOR = '';

function connectionOf({ owner, slot: _slot, limits, ...fields }: Document): StoredConnection {
  return { ...fields, tenantId: owner === OPERATOR ? null : owner, limits: (limits as StoredConnection['limits'] | undefined) ?? null };
}

function documentOf({ tenantId, limits, carriers, ...fields }: StoredConnection, slot: number): Document {
  return { ...fields, owner: tenantId ?? OPERATOR, slot, carriers: [...carriers], ...(limits !== null && { limits }) };
}

function firstFree(taken: readonly number[]): number {
  const slots = new Set(taken);
  let slot = 0;
  while (slots.has(slot)) slot += 1;
  return slot;
}

const ledgersOf = (connectionId: string) => [[connectionId], [registrationsOf(connectionId)]];

/** What deletes the ledgers that are known of a connection. */
const ledgerDeletions = (known: Known, connectionId: string): readonly Write[] =>
  ledgersOf(connectionId).flatMap((key) => {
    const stored = known.get(callLedgers, key);
    return stored === undefined ? [] : [{ in: callLedgers, delete: stored }];
  });

/** Connections, for any number of processes. Two inserts of one owner take different places; the one that loses looks again. */
export function createConnectionStore(store: Store) {
  /** Undefined when another process took the place. */
  const attempt = async (one: StoredConnection, limit: number): Promise<boolean | undefined> => {
    const { items } = await store.find(connections.by.slot, { eq: [one.tenantId ?? OPERATOR], limit });
    if (items.length >= limit) return false;
    const insert = documentOf(one, firstFree(items.map(({ value }) => value.slot)));
    const [outcome] = await store.apply([{ in: connections, insert }]);
    if (outcome?.kind === 'taken' && outcome.index === 'slot') return undefined;
    return outcome?.kind === 'written';
  };

  return {
    /** @returns false when the owner has `limit` connections already, or somebody has one of this id */
    insert: (one: StoredConnection, limit: number): Promise<boolean> => untilWritten(() => attempt(one, limit)),

    /** Those of one owner, oldest first. @param tenantId null for the operator */
    async list(tenantId: string | null): Promise<readonly StoredConnection[]> {
      const { items } = await store.find(connections.by.owner, { eq: [tenantId ?? OPERATOR], limit: MAX_CONNECTIONS });
      return items.map(({ value }) => connectionOf(value));
    },

    async get(connectionId: string): Promise<StoredConnection | undefined> {
      const stored = await store.get(connections, [connectionId]);
      return stored && connectionOf(stored.value);
    },

    /** Those of all owners, by id. @param after the last id of the page before; null for the first page */
    async page(after: string | null, limit: number): Promise<readonly StoredConnection[]> {
      const place = after === null ? {} : { after: store.placeIn(connections.by.all, 0, { value: { connectionId: after } }) };
      const { items } = await store.find(connections.by.all, { eq: [], ...place, limit });
      return items.map(({ value }) => connectionOf(value));
    },

    /** Replaces a connection that is still as it was. @returns false when it was changed or removed meanwhile */
    async replace({ connectionId, sealedCredentials, updatedAt }: StoredConnection, after: StoredConnection): Promise<boolean> {
      const { result } = await store.change([{ in: connections, keys: [[connectionId]] }], (known) => {
        const stored = known.get(connections, [connectionId]);
        const isAsBefore = stored?.value.sealedCredentials === sealedCredentials && stored.value.updatedAt === updatedAt;
        if (stored === undefined || !isAsBefore) return { writes: [], result: false };
        const { connectionId: _id, ...set } = documentOf(after, stored.value.slot);
        return { writes: [{ in: connections, patch: stored, set: { limits: undefined, ...set } as Partial<Document> }], result: true };
      });
      return result;
    },

    /** @returns false when the owner has no such connection */
    async remove(tenantId: string | null, connectionId: string): Promise<boolean> {
      const reads = [
        { in: connections, keys: [[connectionId]] },
        { in: callLedgers, keys: ledgersOf(connectionId) },
      ];
      const decide = (known: Known) => {
        const stored = known.get(connections, [connectionId]);
        if (stored?.value.owner !== (tenantId ?? OPERATOR)) return { writes: [], result: false };
        return { writes: [{ in: connections, delete: stored }, ...ledgerDeletions(known, connectionId)], result: true };
      };
      return (await store.change(reads, decide, { together: true })).result;
    },
  };
}

/** The connections of tenants, and those that an operator has added. */
export type ConnectionStore = ReturnType<typeof createConnectionStore>;

/** Connections as a kind of a tenant's data, without their credentials; what they have called goes with them. */
export function connectionKind(store: Store): TenantDataKind {
  return tenantKind(store, {
    by: connections.by.owner,
    record: ({ connectionId, source, baseUrl, carriers, limits, createdAt, updatedAt }) => ({
      connection_id: connectionId,
      source,
      base_url: baseUrl,
      carriers,
      limits: limits ?? null,
      created_at: createdAt,
      updated_at: updatedAt,
    }),
    async before(_tenantId, values) {
      const ids = values.map(({ connectionId }) => connectionId);
      const decide = (known: Known) => ({ writes: ids.flatMap((id) => ledgerDeletions(known, id)), result: undefined });
      await store.change([{ in: callLedgers, keys: ids.flatMap(ledgersOf) }], decide, { overwrite: true });
    },
  });
}
