import type { Environment } from '@parcelway/contracts/environment';
import type { Principal } from '@parcelway/contracts/principal';
import { tenantScopes, warehouseScopes } from '@parcelway/contracts/scopes';

/** Acts for the platform. @param keyId who it is in the logs of services */
export function platformPrincipal(environment: Environment, keyId: 'admin' | 'gateway' = 'gateway'): Principal {
  return { kind: 'system', tenantId: null, warehouseCode: null, keyId, scopes: [], environment };
}

/** Acts for a tenant, asked by an operator. */
export function tenantPrincipal(environment: Environment, tenantId: string): Principal {
  return { kind: 'tenant', tenantId, warehouseCode: null, keyId: 'admin', scopes: tenantScopes, environment };
}

/** Acts for a warehouse, asked by an operator. */
export function warehousePrincipal(environment: Environment, warehouseCode: string): Principal {
  return { kind: 'warehouse', tenantId: null, warehouseCode, keyId: 'admin', scopes: warehouseScopes, environment };
}
