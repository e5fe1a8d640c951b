import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { nullable } from '@parcelway/contracts/text';
import { AppError } from '@parcelway/kernel/app-error';
import { isoInstant } from '@parcelway/kernel/clock';
import { idFromSeed, newId } from '@parcelway/kernel/ids';
import { collection } from '@parcelway/store/collection';
import type { Store } from '@parcelway/store/store';
import Type from 'typebox';
import { type Context, eventOf } from './context.ts';
import type { ErasureRecord } from './domain/erasure.ts';
import { type Retention, type RetentionWish, retentionChanged, UNCHOSEN } from './domain/tenant-retention.ts';
import { beginErasureOf, erasures } from './erasure-collection.ts';

const closed = { additionalProperties: false } as const;
const days = nullable(Type.Integer());

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

/** A merchant. `createdAt`: epoch milliseconds. */
export type Tenant = NonNullable<(typeof tenants)['document']>;

/** @throws AppError 40403 for none */
function existing(tenant: Tenant | undefined): Tenant {
  if (tenant === undefined) throw new AppError('40403', 'The tenant does not exist');
  return tenant;
}

/** The tenant with this id; undefined when there is none. */
export async function tenantWith(store: Store, tenantId: string): Promise<Tenant | undefined> {
  return (await store.get(tenants, [tenantId]))?.value;
}

/** @throws AppError 40403 when there is none */
export async function findTenant(store: Store, tenantId: string): Promise<Tenant> {
  return existing(await tenantWith(store, tenantId));
}

/** A page, oldest first. @param after `next` of the page before */
export async function listTenants(store: Store, limit: number, after?: string) {
  const { items, next } = await store.find(tenants.by.age, { eq: [], limit, after });
  return { records: items.map(({ value }) => value), next };
}

/** Tenants whose name begins with a text, upper and lower case apart, by name; at most `limit`. */
export async function tenantsStartingWith(store: Store, text: string, limit: number): Promise<Tenant[]> {
  // The last character of Unicode ends what begins with the text.
  const { items } = await store.find(tenants.by.name, { eq: [], from: text, to: `${text}\u{10ffff}`, limit });
  return items.map(({ value }) => value);
}

/** Tenants of exactly this name, in any order; at most `limit`. */
export async function tenantsNamed(store: Store, name: string, limit: number): Promise<Tenant[]> {
  return (await store.find(tenants.by.name, { eq: [name], limit })).items.map(({ value }) => value);
}

/** Other tenants of the same name, at most 5. Names need not be unique, but two of one name are often a mistake. */
export async function namesakesOf(store: Store, { tenantId, name }: Tenant): Promise<Tenant[]> {
  return (await tenantsNamed(store, name, 6)).filter((other) => other.tenantId !== tenantId).slice(0, 5);
}

/**
 * Creates a tenant, also under a name that another one has.
 * @param seed of the request, which makes one tenant however often it is tried; undefined for one that is never repeated
 */
export async function createTenant({ store, clock }: Pick<Context, 'store' | 'clock'>, name: string, seed?: string): Promise<Tenant> {
  const tenantId = seed === undefined ? newId('tnt') : idFromSeed('tnt', seed);
  const made = seed === undefined ? undefined : await tenantWith(store, tenantId);
  if (made !== undefined) return made;
  const tenant: Tenant = { tenantId, name, status: 'active', createdAt: clock.now() };
  const [outcome] = await store.apply([{ in: tenants, insert: tenant }]);
  if (outcome?.kind !== 'written') throw new Error(`The tenant ${tenantId} exists`);
  return tenant;
}

/** A change of a tenant, and the event that reports it; both are written together. */
type TenantChange = { readonly set: Partial<Tenant>; readonly message?: EncodedMessage | undefined };

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

/** @throws AppError 40902 when the tenant is being erased: nothing of it may be written any more */
export async function assertNotErasing(store: Store, tenantId: string): Promise<void> {
  if ((await store.get(erasures, [tenantId])) !== undefined) throw new AppError('40902', 'The tenant is being erased');
}

/**
 * Gives a tenant another name, also one that another tenant has.
 * @throws AppError 40403 when there is none, 40902 when it is being erased
 */
export async function renameTenant(store: Store, tenantId: string, name: string): Promise<Tenant> {
  await assertNotErasing(store, tenantId);
  return existing(await change(store, tenantId, () => ({ set: { name } })));
}

/** Suspends a tenant that is being erased, without an event. Does nothing when there is none. */
export async function suspendErased(store: Store, tenantId: string): Promise<void> {
  await change(store, tenantId, () => ({ set: { status: 'suspended' } }));
}

/**
 * Suspends or resumes a merchant. The keys of a suspended one get 40302, and services hear of it by an event: what it has under way is not to go on.
 * @throws AppError 40403 when there is none, 40902 when one that is being erased is to be resumed
 */
export async function setTenantStatus(context: Context, tenantId: string, status: Tenant['status']): Promise<Tenant> {
  const { store, clock } = context;
  if (status === 'active') await assertNotErasing(store, tenantId);
  const suspension = { tenant_id: tenantId, suspended_at: isoInstant(clock.now()) };
  const message = status === 'active' ? undefined : eventOf(context, 'tenant.suspended', tenantId, tenantId, suspension);
  const tenant = existing(await change(store, tenantId, () => ({ set: { status }, message })));
  // An erasure is recorded before it suspends its merchant: one that is not recorded by now suspends the merchant after this. So exactly one of the two wins.
  if (status === 'active' && (await store.get(erasures, [tenantId])) !== undefined) {
    await suspendErased(store, tenantId);
    await assertNotErasing(store, tenantId);
  }
  return tenant;
}

/**
 * Begins to erase a merchant, or goes on with it: its keys are refused, and the erasure is recorded for good. A finished erasure begins again, which does
 * no harm and is needed after a restore.
 * @throws AppError 40403 when there is neither the merchant nor an erasure of it
 */
export async function beginTenantErasure({ store, clock }: Pick<Context, 'store' | 'clock'>, tenantId: string): Promise<ErasureRecord> {
  if ((await store.get(erasures, [tenantId])) === undefined) await findTenant(store, tenantId);
  // In this order: what is recorded is carried out, and suspends the merchant, too.
  const record = await beginErasureOf(store, tenantId, clock.now());
  await suspendErased(store, tenantId);
  return record;
}

/** How long data of a tenant is kept. @throws AppError 40403 when there is no such tenant */
export async function readRetention(store: Store, tenantId: string): Promise<Retention> {
  return (await findTenant(store, tenantId)).retention ?? UNCHOSEN;
}

/**
 * Sets how long data of a tenant is kept. Services hear of it by an event.
 * @throws AppError 40403 when there is no such tenant, 42201 when files are to be kept for longer than their forecast
 */
export async function changeRetention(context: Context, tenantId: string, wish: RetentionWish): Promise<Retention> {
  const changed = await change(context.store, tenantId, ({ retention: known = UNCHOSEN }) => {
    const retention = retentionChanged(known, wish);
    if (retention === undefined) return undefined;
    const { version, forecastDays, fileDays } = retention;
    const days = { tenant_id: tenantId, version, forecast_days: forecastDays, file_days: fileDays };
    const event = { ...days, changed_at: isoInstant(context.clock.now()) };
    return { set: { retention }, message: eventOf(context, 'tenant.retention-changed', tenantId, tenantId, event) };
  });
  return existing(changed).retention ?? UNCHOSEN;
}
