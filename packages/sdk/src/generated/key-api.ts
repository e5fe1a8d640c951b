// Made from the contract by `npm run docs`; do not edit.
import type { Warning } from './warnings.ts';

/** The session of the console that calls in the place of the key; null for the key itself */
export interface AccessSession {
  /** `session`: somebody signed in with the key. `link`: opened by a link */
  readonly kind: 'session' | 'link';
  /** When it ends */
  readonly expires_at: string;
}

/** Key change */
export interface KeyChange {
  /** What the key is for; has a visible character */
  readonly description?: string;
  /** In the place of the present ones. Only scopes that both this key and the calling key have: scopes never grow */
  readonly scopes?: readonly ('forecasts:write' | 'files:write' | 'weighing:read' | 'tracking:read' | 'webhooks:manage' | 'connections:manage' | 'keys:manage')[];
  /** When the key expires; null: never; in the future, at most ten years ahead */
  readonly expires_at?: string | null;
  /** IPv4 and IPv6 addresses, and networks in CIDR notation, that may use the key. Empty: all. The key is refused elsewhere with 40301 */
  readonly allowed_addresses?: readonly string[];
}

/** Key changed */
export interface KeyChanged {
  readonly key_id: string;
  /** First characters of the key, to recognise it */
  readonly prefix: string;
  readonly description: string;
  /** What the key may do */
  readonly scopes: readonly string[];
  /** Addresses and networks that may use the key; empty: all */
  readonly allowed_addresses: readonly string[];
  /** active: the key works; revoked and expired keys never work again */
  readonly state: 'active' | 'revoked' | 'expired';
  /** When it was created */
  readonly create_time: string;
  /** When it expires; null: never */
  readonly expires_at: string | null;
  /** When it was revoked; null: it is not */
  readonly revoked_at: string | null;
  /** Minute of its last use; null: never used */
  readonly last_used_at: string | null;
  /** `key_id` of the key that created it; null: the operator issued it */
  readonly created_by: string | null;
  /** `key_id` of the key that it replaces */
  readonly rotated_from: string | null;
  /** `key_id` of the key that replaces it */
  readonly rotated_to: string | null;
  /** Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each */
  readonly warnings: readonly Warning[];
}

/** Key created */
export interface KeyCreated {
  readonly key_id: string;
  /** First characters of the key, to recognise it */
  readonly prefix: string;
  readonly description: string;
  /** What the key may do */
  readonly scopes: readonly string[];
  /** Addresses and networks that may use the key; empty: all */
  readonly allowed_addresses: readonly string[];
  /** active: the key works; revoked and expired keys never work again */
  readonly state: 'active' | 'revoked' | 'expired';
  /** When it was created */
  readonly create_time: string;
  /** When it expires; null: never */
  readonly expires_at: string | null;
  /** When it was revoked; null: it is not */
  readonly revoked_at: string | null;
  /** Minute of its last use; null: never used */
  readonly last_used_at: string | null;
  /** `key_id` of the key that created it; null: the operator issued it */
  readonly created_by: string | null;
  /** `key_id` of the key that it replaces */
  readonly rotated_from: string | null;
  /** `key_id` of the key that replaces it */
  readonly rotated_to: string | null;
  /** The key; only in this response */
  readonly key: string;
  /** Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each */
  readonly warnings: readonly Warning[];
}

/** Key creation */
export interface KeyCreation {
  /** What the key is for; has a visible character */
  readonly description: string;
  /** What the key may do: only scopes of the calling key. Default: the scopes of the calling key without `keys:manage` */
  readonly scopes?: readonly ('forecasts:write' | 'files:write' | 'weighing:read' | 'tracking:read' | 'webhooks:manage' | 'connections:manage' | 'keys:manage')[];
  /** Life of the key. Give this or `expires_at`. Default: it never expires */
  readonly expires_in_seconds?: number;
  /** When the key expires. Give this or `expires_in_seconds`; in the future, at most ten years ahead */
  readonly expires_at?: string;
  /** IPv4 and IPv6 addresses, and networks in CIDR notation, that may use the key. Empty: all. The key is refused elsewhere with 40301 */
  readonly allowed_addresses?: readonly string[];
}

/** Key rotated */
export interface KeyRotated {
  readonly key_id: string;
  /** First characters of the key, to recognise it */
  readonly prefix: string;
  readonly description: string;
  /** What the key may do */
  readonly scopes: readonly string[];
  /** Addresses and networks that may use the key; empty: all */
  readonly allowed_addresses: readonly string[];
  /** active: the key works; revoked and expired keys never work again */
  readonly state: 'active' | 'revoked' | 'expired';
  /** When it was created */
  readonly create_time: string;
  /** When it expires; null: never */
  readonly expires_at: string | null;
  /** When it was revoked; null: it is not */
  readonly revoked_at: string | null;
  /** Minute of its last use; null: never used */
  readonly last_used_at: string | null;
  /** `key_id` of the key that created it; null: the operator issued it */
  readonly created_by: string | null;
  /** `key_id` of the key that it replaces */
  readonly rotated_from: string | null;
  /** `key_id` of the key that replaces it */
  readonly rotated_to: string | null;
  /** The key; only in this response */
  readonly key: string;
  /** When the former key, `rotated_from`, expires */
  readonly former_expires_at: string;
  /** Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each */
  readonly warnings: readonly Warning[];
}

/** Key rotation */
export interface KeyRotation {
  /** How long the former key still works. Default 86400, one day; 0: not at all, for example because it has leaked */
  readonly overlap_seconds?: number;
}

/** Own access */
export interface OwnAccess {
  readonly tenant: OwnTenant;
  /** Environment of the key */
  readonly environment: 'sandbox' | 'production';
  readonly key: TenantKey;
  /** The session of the console that calls in the place of the key; null for the key itself */
  readonly session: AccessSession | null;
  /** Limits of the key for each class of routes; null: no limit */
  readonly rate_limits: RateLimitsInForce;
  /** Clock of the platform */
  readonly server_time: string;
}

/** Own tenant */
export interface OwnTenant {
  readonly id: string;
  readonly name: string;
  /** State of the tenant */
  readonly status: 'active' | 'suspended';
}

/** Rate in force */
export interface RateInForce {
  /** Requests a second */
  readonly per_second: number;
  /** Requests at once */
  readonly burst: number;
}

/** Limits of the key for each class of routes; null: no limit */
export interface RateLimitsInForce {
  readonly standard: RateInForce | null;
  readonly upload: RateInForce | null;
  readonly tracking: RateInForce | null;
  readonly batch: RateInForce | null;
}

/** Tenant key */
export interface TenantKey {
  readonly key_id: string;
  /** First characters of the key, to recognise it */
  readonly prefix: string;
  readonly description: string;
  /** What the key may do */
  readonly scopes: readonly string[];
  /** Addresses and networks that may use the key; empty: all */
  readonly allowed_addresses: readonly string[];
  /** active: the key works; revoked and expired keys never work again */
  readonly state: 'active' | 'revoked' | 'expired';
  /** When it was created */
  readonly create_time: string;
  /** When it expires; null: never */
  readonly expires_at: string | null;
  /** When it was revoked; null: it is not */
  readonly revoked_at: string | null;
  /** Minute of its last use; null: never used */
  readonly last_used_at: string | null;
  /** `key_id` of the key that created it; null: the operator issued it */
  readonly created_by: string | null;
  /** `key_id` of the key that it replaces */
  readonly rotated_from: string | null;
  /** `key_id` of the key that replaces it */
  readonly rotated_to: string | null;
}

/** Tenant key list */
export interface TenantKeyList {
  readonly keys: readonly TenantKey[];
  /** null on the last page */
  readonly next_cursor: string | null;
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Tenant key list query */
export interface TenantKeyListQuery {
  /** Page size, 1 to 100; default 20 */
  readonly limit?: number;
  /** `next_cursor` of the previous page */
  readonly cursor?: string;
}
