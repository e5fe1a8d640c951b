import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { newId } from '@parcelway/kernel/ids';
import type { TenantRecord } from './domain/records.ts';
import type { GatewayStores } from './ports.ts';

/** Creates a tenant, also under a name that another one has. */
export async function createTenant(stores: Pick<GatewayStores, 'tenants'>, clock: Clock, name: string): Promise<TenantRecord> {
  const tenant: TenantRecord = { id: newId('tnt'), name, status: 'active', createdAt: clock.now() };
  await stores.tenants.add(tenant);
  return tenant;
}

/** Other tenants of the same name, at most 5. Names need not be unique, but two of one name are often a mistake. */
export async function namesakesOf(stores: Pick<GatewayStores, 'tenants'>, { id, name }: TenantRecord): Promise<TenantRecord[]> {
  const named = await stores.tenants.named(name, 6);
  return named.filter((other) => other.id !== id).slice(0, 5);
}

/**
 * Suspends or resumes a merchant. The keys of a suspended one get 40302.
 * @throws AppError 40403 when there is none
 */
export async function setTenantStatus(
  stores: Pick<GatewayStores, 'tenants'>,
  id: string,
  status: TenantRecord['status'],
): Promise<TenantRecord> {
  const tenant = await stores.tenants.setStatus(id, status);
  if (tenant === undefined) throw new AppError('40403', 'The tenant does not exist');
  return tenant;
}
