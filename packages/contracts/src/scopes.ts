/** Scopes of a tenant's key: what merchants do. */
export const tenantScopes = [
  'forecasts:write',
  'files:write',
  'weighing:read',
  'tracking:read',
  'webhooks:manage',
  'connections:manage',
  'keys:manage',
] as const;

/** Scope of a tenant's key that creates, changes and revokes keys. */
export const KEYS_SCOPE = 'keys:manage' satisfies (typeof tenantScopes)[number];

/** Scopes of a tenant's key that the operator issues without naming any. A key that makes keys must be asked for. */
export const defaultTenantScopes = tenantScopes.filter((scope) => scope !== KEYS_SCOPE);

/** Scopes of a tenant's key that change nothing. */
export const readingTenantScopes = ['weighing:read', 'tracking:read'] as const satisfies readonly (typeof tenantScopes)[number][];

/** Scopes of a warehouse's key. A new key has both unless it is issued with one of them. */
export const warehouseScopes = ['warehouse:write', 'warehouse:read'] as const;

/** What a key may do. */
export const scopes = [...tenantScopes, ...warehouseScopes] as const;

/** One permission of a key. */
export type Scope = (typeof scopes)[number];

/** True when `value` is a scope. */
export function isScope(value: string): value is Scope {
  return (scopes as readonly string[]).includes(value);
}
