import { createDomainEvent } from '@parcelway/contracts/cloud-event';
import { type EncodedMessage, encodeEvent } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import { AppError } from '@parcelway/kernel/app-error';
import { type Clock, isoInstant } from '@parcelway/kernel/clock';
import { idFromSeed, newId } from '@parcelway/kernel/ids';
import type { ErasureRecord } from './domain/erasure.ts';
import type { TenantRecord } from './domain/records.ts';
import { type RetentionWish, retentionChanged, type TenantRetentionRecord } from './domain/tenant-retention.ts';
import type { ErasureStore } from './erasure-collection.ts';
import type { TenantRetentionStore, TenantStore } from './tenant-collection.ts';
import type { WarehouseStore } from './warehouse-collection.ts';

/** Stores of tenants and warehouses, which may have keys. */
export interface TenantStores {
  readonly tenants: TenantStore;
  readonly warehouses: WarehouseStore;
  readonly erasures: ErasureStore;
}

/**
 * Creates a tenant, also under a name that another one has.
 * @param seed of the request, which makes one tenant however often it is tried; undefined for one that is never repeated
 */
export async function createTenant(
  stores: Pick<TenantStores, 'tenants'>,
  clock: Clock,
  name: string,
  seed?: string,
): Promise<TenantRecord> {
  const id = seed === undefined ? newId('tnt') : idFromSeed('tnt', seed);
  const made = seed === undefined ? undefined : await stores.tenants.find(id);
  if (made !== undefined) return made;
  const tenant: TenantRecord = { id, name, status: 'active', createdAt: clock.now() };
  await stores.tenants.add(tenant);
  return tenant;
}

/** @throws AppError 40403 when there is none */
export async function findTenant(stores: { readonly tenants: Pick<TenantStore, 'find'> }, id: string): Promise<TenantRecord> {
  const tenant = await stores.tenants.find(id);
  if (tenant === undefined) throw new AppError('40403', 'The tenant does not exist');
  return tenant;
}

/**
 * Gives a tenant another name, also one that another tenant has.
 * @throws AppError 40403 when there is none, 40902 when it is being erased
 */
export async function renameTenant(stores: Pick<TenantStores, 'tenants' | 'erasures'>, id: string, name: string): Promise<TenantRecord> {
  await assertNotErasing(stores, id);
  const tenant = await stores.tenants.rename(id, name);
  if (tenant === undefined) throw new AppError('40403', 'The tenant does not exist');
  return tenant;
}

/** Other tenants of the same name, at most 5. Names need not be unique, but two of one name are often a mistake. */
export async function namesakesOf(stores: Pick<TenantStores, 'tenants'>, { id, name }: TenantRecord): Promise<TenantRecord[]> {
  const named = await stores.tenants.named(name, 6);
  return named.filter((other) => other.id !== id).slice(0, 5);
}

/** @throws AppError 40902 when the tenant is being erased: nothing of it may be written any more */
export async function assertNotErasing(stores: Pick<TenantStores, 'erasures'>, id: string): Promise<void> {
  if ((await stores.erasures.find(id)) !== undefined) throw new AppError('40902', 'The tenant is being erased');
}

/**
 * Takes a resumption back when an erasure has begun meanwhile. An erasure is recorded before it suspends its merchant: one that is not recorded by now
 * suspends the merchant after this, so exactly one of the two wins.
 * @throws AppError 40902
 */
async function suspendErasing(stores: Pick<TenantStores, 'tenants' | 'erasures'>, id: string): Promise<void> {
  if ((await stores.erasures.find(id)) === undefined) return;
  await stores.tenants.setStatus(id, 'suspended');
  await assertNotErasing(stores, id);
}

/** What changing the status of a merchant works with. */
export interface TenantStatusOptions {
  readonly environment: Environment;
  readonly stores: Pick<TenantStores, 'tenants' | 'erasures'>;
  readonly clock: Clock;
}

/** The event that reports a suspension. */
function suspension({ environment, clock }: TenantStatusOptions, tenantId: string): EncodedMessage {
  const now = clock.now();
  const event = createDomainEvent({
    type: 'tenant.suspended',
    publisher: 'gateway',
    tenantId,
    environment,
    subject: tenantId,
    time: now,
    data: { tenant_id: tenantId, suspended_at: isoInstant(now) },
  });
  return encodeEvent(event);
}

/**
 * Suspends or resumes a merchant. The keys of a suspended one get 40302, and services hear of it by an event: what it has under way is not to go on.
 * @throws AppError 40403 when there is none, 40902 when one that is being erased is to be resumed
 */
export async function setTenantStatus(options: TenantStatusOptions, id: string, status: TenantRecord['status']): Promise<TenantRecord> {
  const { stores } = options;
  if (status === 'active') await assertNotErasing(stores, id);
  const tenant = await stores.tenants.setStatus(id, status, status === 'suspended' ? suspension(options, id) : undefined);
  if (tenant === undefined) throw new AppError('40403', 'The tenant does not exist');
  if (status === 'active') await suspendErasing(stores, id);
  return tenant;
}

/**
 * Begins to erase a merchant, or goes on with it: its keys are refused, and the erasure is recorded for good. A finished erasure begins again, which does
 * no harm and is needed after a restore.
 * @throws AppError 40403 when there is neither the merchant nor an erasure of it
 */
export async function beginTenantErasure(
  stores: Pick<TenantStores, 'tenants' | 'erasures'>,
  clock: Clock,
  id: string,
): Promise<ErasureRecord> {
  const [tenant, erasure] = [await stores.tenants.find(id), await stores.erasures.find(id)];
  if (tenant === undefined && erasure === undefined) throw new AppError('40403', 'The tenant does not exist');
  // In this order: what is recorded is carried out, and suspends the merchant, too.
  const record = await stores.erasures.begin(id, clock.now());
  await stores.tenants.setStatus(id, 'suspended');
  return record;
}

/** What changing a retention works with. */
export interface ManageRetentionOptions {
  readonly environment: Environment;
  readonly stores: { readonly retentions: TenantRetentionStore };
  readonly clock: Clock;
}

function found(retention: TenantRetentionRecord | undefined): TenantRetentionRecord {
  if (retention === undefined) throw new AppError('40403', 'The tenant does not exist');
  return retention;
}

/** How long data of a tenant is kept. @throws AppError 40403 when there is no such tenant */
export async function readRetention({ stores }: Pick<ManageRetentionOptions, 'stores'>, tenantId: string): Promise<TenantRetentionRecord> {
  return found(await stores.retentions.find(tenantId));
}

/**
 * Sets how long data of a tenant is kept. Services hear of it by an event.
 * @throws AppError 40403 when there is no such tenant, 42201 when files are to be kept for longer than their forecast
 */
export async function changeRetention(
  { environment, stores, clock }: ManageRetentionOptions,
  tenantId: string,
  wish: RetentionWish,
): Promise<TenantRetentionRecord> {
  const at = { environment, now: clock.now() };
  return found(await stores.retentions.change(tenantId, (known) => retentionChanged(known, wish, at)));
}
