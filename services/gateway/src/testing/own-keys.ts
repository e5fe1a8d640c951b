import { type Scope, tenantScopes } from '@parcelway/contracts/scopes';
import { issueKey } from '../keys/manage-keys.ts';
import { type KeyCaller, OwnKeys } from '../keys/own-keys.ts';
import { createTenant } from '../tenants/tenants.ts';
import { setUpStores } from './set-up-stores.ts';

/** Where callers are. */
export const ADDRESS = '192.0.2.1';
/** In seconds. */
export const DAY = 86_400;

/** Two tenants with a key each that manages keys. @param scopes of the key of the first tenant, `by` */
export async function setUpOwnKeys(scopes: readonly Scope[] = tenantScopes) {
  const { clock, stores, options } = setUpStores();
  const changed: string[] = [];
  const keys = new OwnKeys({ ...options, onChanged: ({ keyId }) => void changed.push(keyId) });
  const issue = async (tenantId: string, given: object = {}): Promise<KeyCaller> => {
    const { record } = await issueKey(options, { holder: { kind: 'tenant', tenantId }, scopes: tenantScopes, ...given });
    return { tenantId, keyId: record.keyId, address: ADDRESS };
  };
  const tenant = await createTenant(options, 'Acme');
  const other = await createTenant(options, 'Other');
  const [by, stranger] = [await issue(tenant.tenantId, { scopes }), await issue(other.tenantId)];
  return { clock, stores, options, keys, changed, issue, by, stranger };
}
