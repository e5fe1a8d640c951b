import type { Environment } from '@parcelway/contracts/environment';
import { tenantScopes } from '@parcelway/contracts/scopes';
import type { Clock } from '@parcelway/kernel/clock';
import { issueKey, type KeyStores } from '../keys/manage-keys.ts';
import { isDead } from '../proxy/domain/admission.ts';
import { hashKey } from '../proxy/domain/api-key.ts';
import type { TenantRecord } from '../tenants/domain/records.ts';
import { createTenant } from '../tenants/manage-tenants.ts';
import { addWarehouse } from '../tenants/manage-warehouses.ts';

/** Keys and names that let a person begin at once; the part of quickstart.json that lives on. */
export interface DemoAccess {
  readonly tenant: { readonly id: string; readonly name: string; readonly api_key: string };
  readonly warehouse: { readonly code: string; readonly api_key: string };
}

/** Name of the tenant made at the first start in the sandbox. */
export const DEMO_TENANT = 'Demo Merchant';
/** The warehouse made at the first start in the sandbox. */
export const DEMO_WAREHOUSE = { code: 'SZ01', name: 'Shenzhen demo warehouse' };

/** Most tenants of the demo's name that are looked at. */
const MAX_NAMESAKES = 100;

/** What the first start works with. */
export interface FirstStartOptions {
  readonly environment: Environment;
  readonly stores: KeyStores;
  readonly clock: Clock;
}

async function works({ stores, clock }: FirstStartOptions, key: string): Promise<boolean> {
  const known = await stores.keys.findByHash(hashKey(key));
  return known !== undefined && !isDead(known.record, clock.now());
}

/** True when both keys of an earlier start still work here. */
async function stillValid(options: FirstStartOptions, access: DemoAccess): Promise<boolean> {
  return (await works(options, access.tenant.api_key)) && (await works(options, access.warehouse.api_key));
}

/** The tenant of an earlier start, or one of its name; none that is being erased. */
async function knownDemoTenant(stores: KeyStores, kept: DemoAccess | undefined): Promise<TenantRecord | undefined> {
  const former = kept === undefined ? undefined : await stores.tenants.find(kept.tenant.id);
  const namesakes = await stores.tenants.named(DEMO_TENANT, MAX_NAMESAKES);
  const oldestFirst = namesakes.sort((one, other) => one.createdAt - other.createdAt);
  for (const candidate of former === undefined ? oldestFirst : [former, ...oldestFirst])
    if ((await stores.erasures.find(candidate.id)) === undefined) return candidate;
  return undefined;
}

/**
 * Access for the demo tenant and warehouse of a sandbox, made when they are not there. Keys of an earlier start are kept
 * while they work; when they are lost or dead the same tenant gets new ones.
 * @param kept what the last start wrote down, if it can still be read
 */
export async function demoAccess(options: FirstStartOptions, kept: DemoAccess | undefined): Promise<DemoAccess> {
  if (kept !== undefined && (await stillValid(options, kept))) return kept;
  const { stores, clock } = options;
  const tenant = (await knownDemoTenant(stores, kept)) ?? (await createTenant(stores, clock, DEMO_TENANT));
  if ((await stores.warehouses.find(DEMO_WAREHOUSE.code)) === undefined) await addWarehouse(options, DEMO_WAREHOUSE);
  const description = 'quickstart';
  const tenantKey = await issueKey(options, { holder: { kind: 'tenant', tenantId: tenant.id }, scopes: tenantScopes, description });
  const warehouseKey = await issueKey(options, { holder: { kind: 'warehouse', warehouseCode: DEMO_WAREHOUSE.code }, description });
  return {
    tenant: { id: tenant.id, name: tenant.name, api_key: tenantKey.key },
    warehouse: { code: DEMO_WAREHOUSE.code, api_key: warehouseKey.key },
  };
}
