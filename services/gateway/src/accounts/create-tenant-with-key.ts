import type { TenantRecord } from './domain/records.ts';
import { originFromSeed } from './key-origin.ts';
import { issueKey, type ManageKeysOptions, type NewKey } from './manage-keys.ts';
import { createTenant } from './manage-tenants.ts';

/** What all attempts at one request share. */
export interface RequestOrigin {
  /** Of the installation. */
  readonly secret: string;
  readonly seed: string;
}

/**
 * Creates a tenant and a key of it with the usual scopes. The tenant comes first. When the process ends in between, the same request finds the tenant, and
 * goes on with the key; when it has both, it gives the same ones.
 * @param origin of the request; undefined for one that is never repeated
 */
export async function createTenantWithKey(
  options: ManageKeysOptions,
  name: string,
  origin: RequestOrigin | undefined,
): Promise<{ readonly tenant: TenantRecord; readonly key: NewKey }> {
  const tenant = await createTenant(options.stores, options.clock, name, origin?.seed);
  const holder = { kind: 'tenant', tenantId: tenant.id } as const;
  const key = await issueKey(options, { holder }, origin && originFromSeed(origin.secret, origin.seed));
  return { tenant, key };
}
