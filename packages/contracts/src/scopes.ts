/** What a key may do. A tenant's key holds any of the first five; a warehouse's key only the last. */
export const scopes = ['forecasts:write', 'files:write', 'weighing:read', 'tracking:read', 'webhooks:manage', 'warehouse:write'] as const;

/** One permission of a key. */
export type Scope = (typeof scopes)[number];

/** Every scope that a tenant's key may hold. */
export const tenantScopes: readonly Scope[] = scopes.filter((scope) => scope !== 'warehouse:write');

/** True when `value` is a scope. */
export function isScope(value: string): value is Scope {
  return (scopes as readonly string[]).includes(value);
}
