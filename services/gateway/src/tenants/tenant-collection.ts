import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { ListPosition } from '@parcelway/kernel/list-position';
import { collection } from '@parcelway/store/collection';
import type { Store, Stored } from '@parcelway/store/store';
import Type from 'typebox';
import type { TenantRecord } from './domain/records.ts';
import { type RetentionChange, type TenantRetentionRecord, unchosen } from './domain/tenant-retention.ts';

const closed = { additionalProperties: false } as const;
const days = Type.Union([Type.Integer(), Type.Null()]);

/** Merchants, each with the time that its data is kept. */
export const tenants = collection(
  'tenants',
  Type.Object(
    {
      tenantId: Type.String(),
      name: Type.String(),
      status: Type.Union([Type.Literal('active'), Type.Literal('suspended')]),
      createdAt: Type.Integer(),
      /** Missing until it is set. */
      retention: Type.Optional(Type.Object({ version: Type.Integer(), forecastDays: days, fileDays: days }, closed)),
    },
    closed,
  ),
  {
    describe: 'Merchants, and how long their data is kept',
    key: ['tenantId'],
    lists: { tenant: ['tenantId'], age: ['createdAt'], name: ['name'] },
    hasMessages: true,
    tenant: 'tenantId',
    shard: { unsharded: 'one small document for each tenant, listed over all' },
    ends: 'with the erasure of the tenant',
    copy: {
      name: 'account',
      record: ({ tenantId: id, name, status, createdAt, retention }) => ({
        id,
        name,
        status,
        created_at: createdAt,
        forecast_days: retention?.forecastDays ?? null,
        file_days: retention?.fileDays ?? null,
      }),
    },
  },
);

type Tenant = NonNullable<(typeof tenants)['document']>;

const recordOf = ({ tenantId: id, name, status, createdAt }: Tenant): TenantRecord => ({ id, name, status, createdAt });
const recordsOf = ({ items }: { readonly items: readonly Stored<Tenant>[] }) => items.map(({ value }) => recordOf(value));

function retentionOf({ tenantId, retention }: Tenant): TenantRetentionRecord {
  return retention === undefined ? unchosen(tenantId) : { tenantId, ...retention };
}

/** A change of a tenant, and the event that reports it; both are written together. */
interface TenantChange {
  readonly set: Partial<Tenant>;
  readonly message?: EncodedMessage | undefined;
}

/** Changes a tenant. @param decide undefined to leave it as it is @returns the tenant afterwards; undefined when there is none */
async function change(store: Store, tenantId: string, decide: (tenant: Tenant) => TenantChange | undefined): Promise<Tenant | undefined> {
  const { result } = await store.change([{ in: tenants, keys: [[tenantId]] }], (known) => {
    const stored = known.get(tenants, [tenantId]);
    const decided = stored && decide(stored.value);
    if (stored === undefined || decided === undefined) return { writes: [], result: stored?.value };
    const { set, message } = decided;
    const messages = message === undefined ? [] : [message];
    return { writes: [{ in: tenants, patch: stored, set, messages }], result: { ...stored.value, ...set } };
  });
  return result;
}

/** Keeps merchants. @param store with {@link tenants} */
export function createTenantStore(store: Store) {
  const set = async (id: string, fields: Partial<Tenant>, message?: EncodedMessage): Promise<TenantRecord | undefined> => {
    const changed = await change(store, id, () => ({ set: fields, message }));
    return changed && recordOf(changed);
  };
  return {
    async add({ id, ...tenant }: TenantRecord): Promise<void> {
      const [outcome] = await store.apply([{ in: tenants, insert: { tenantId: id, ...tenant } }]);
      if (outcome?.kind !== 'written') throw new Error(`The tenant ${id} exists`);
    },
    async find(id: string): Promise<TenantRecord | undefined> {
      const stored = await store.get(tenants, [id]);
      return stored && recordOf(stored.value);
    },
    /** Oldest first; at most `limit`. Costs as much at any place. @param after leaves out the tenant of this position and all before it */
    async list(limit: number, after?: ListPosition): Promise<TenantRecord[]> {
      const place = after && store.placeIn(tenants.by.age, 0, { value: { createdAt: after.createdAt, tenantId: after.id } });
      return recordsOf(await store.find(tenants.by.age, { eq: [], limit, after: place }));
    },
    /** Tenants whose name begins with a text, upper and lower case apart, by name; at most `limit`. */
    async startingWith(text: string, limit: number): Promise<TenantRecord[]> {
      // The last character of Unicode ends what begins with the text.
      return recordsOf(await store.find(tenants.by.name, { eq: [], from: text, to: `${text}\u{10ffff}`, limit }));
    },
    /** Tenants of exactly this name, in any order; at most `limit`. */
    async named(name: string, limit: number): Promise<TenantRecord[]> {
      return recordsOf(await store.find(tenants.by.name, { eq: [name], limit }));
    },
    /** @returns the tenant afterwards; undefined when there is none */
    rename: (id: string, name: string) => set(id, { name }),
    /** @param message event that reports it, written together with it @returns the tenant afterwards; undefined when there is none */
    setStatus: (id: string, status: TenantRecord['status'], message?: EncodedMessage) => set(id, { status }, message),
  };
}

/** Keeps how long data of tenants is kept. @param store with {@link tenants} */
export function createTenantRetentionStore(store: Store) {
  return {
    async find(tenantId: string): Promise<TenantRetentionRecord | undefined> {
      const stored = await store.get(tenants, [tenantId]);
      return stored && retentionOf(stored.value);
    },
    /** Writes what is decided and its event in one durable step. @returns the retention afterwards; undefined when there is no such tenant */
    async change(
      tenantId: string,
      decide: (known: TenantRetentionRecord) => RetentionChange | undefined,
    ): Promise<TenantRetentionRecord | undefined> {
      const changed = await change(store, tenantId, (tenant) => {
        const decided = decide(retentionOf(tenant));
        if (decided === undefined) return undefined;
        const { tenantId: _tenant, ...retention } = decided.retention;
        return { set: { retention }, message: decided.message };
      });
      return changed && retentionOf(changed);
    },
  };
}

export type TenantStore = ReturnType<typeof createTenantStore>;
export type TenantRetentionStore = ReturnType<typeof createTenantRetentionStore>;
