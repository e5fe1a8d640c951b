import type { QuickstartKeys } from '@parcelway/contracts/admin-api';
import { tenantScopes } from '@parcelway/contracts/scopes';
import { issueKey, type KeyContext } from '../keys/manage-keys.ts';
import { isDead } from '../proxy/domain/admission.ts';
import { hashKey } from '../proxy/domain/api-key.ts';
import { erasureOf } from '../tenants/erasure-collection.ts';
import { createTenant, type Tenant, tenantsNamed, tenantWith } from '../tenants/tenants.ts';
import { addWarehouse, warehouses } from '../tenants/warehouses.ts';

/** Name of the tenant made at the first start in the sandbox. */
export const DEMO_TENANT = 'Demo Merchant';
/** The warehouse made at the first start in the sandbox. */
const DEMO_WAREHOUSE = { code: 'SZ01', name: 'Shenzhen demo warehouse' };

/** Most tenants of the demo's name that are looked at. */
const MAX_NAMESAKES = 100;

async function works({ keys, clock }: KeyContext, key: string): Promise<boolean> {
  const known = await keys.findByHash(hashKey(key));
  return known !== undefined && !isDead(known.record, clock.now());
}

/** The tenant of an earlier start, or one of its name; none that is being erased. */
async function knownDemoTenant({ store }: KeyContext, kept: QuickstartKeys | undefined): Promise<Tenant | undefined> {
  const former = kept === undefined ? undefined : await tenantWith(store, kept.tenant.id);
  const namesakes = await tenantsNamed(store, DEMO_TENANT, MAX_NAMESAKES);
  const oldestFirst = namesakes.sort((one, other) => one.createdAt - other.createdAt);
  for (const candidate of former === undefined ? oldestFirst : [former, ...oldestFirst])
    if ((await erasureOf(store, candidate.tenantId)) === undefined) return candidate;
  return undefined;
}

/**
 * Access for the demo tenant and warehouse of a sandbox, made when they are not there. Keys of an earlier start are kept
 * while they work; when they are lost or dead the same tenant gets new ones.
 * @param kept what the last start wrote down, if it can still be read
 */
export async function demoAccess(options: KeyContext, kept: QuickstartKeys | undefined): Promise<QuickstartKeys> {
  if (kept !== undefined && (await works(options, kept.tenant.api_key)) && (await works(options, kept.warehouse.api_key))) return kept;
  const { tenantId, name } = (await knownDemoTenant(options, kept)) ?? (await createTenant(options, DEMO_TENANT));
  if ((await options.store.get(warehouses, [DEMO_WAREHOUSE.code])) === undefined) await addWarehouse(options, DEMO_WAREHOUSE);
  const description = 'quickstart';
  const tenantKey = await issueKey(options, { holder: { kind: 'tenant', tenantId }, scopes: tenantScopes, description });
  const warehouseKey = await issueKey(options, { holder: { kind: 'warehouse', warehouseCode: DEMO_WAREHOUSE.code }, description });
  return {
    tenant: { id: tenantId, name, api_key: tenantKey.key },
    warehouse: { code: DEMO_WAREHOUSE.code, api_key: warehouseKey.key },
  };
}
