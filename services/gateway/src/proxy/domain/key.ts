import type { Scope } from '@parcelway/contracts/scopes';

/** A token bucket of a key: refilled at `perSecond`, holding at most `burst`. */
export interface RateRule {
  readonly perSecond: number;
  readonly burst: number;
}

/** Who holds a key. */
export type KeyHolder =
  | { readonly kind: 'tenant'; readonly tenantId: string }
  | { readonly kind: 'warehouse'; readonly warehouseCode: string };

/** An API key as it is kept: its hash, never itself. Times are epoch milliseconds. */
export interface KeyRecord {
  /** `key_…`. */
  readonly keyId: string;
  /** First characters of the key, for people to recognise it. */
  readonly prefix: string;
  /** SHA-256 of the key, base64url. */
  readonly hash: string;
  readonly holder: KeyHolder;
  readonly scopes: readonly Scope[];
  /** `off` for no limit, null for the limits that every key has. */
  readonly rateLimit: RateRule | 'off' | null;
  readonly description: string;
  /** Addresses and networks that may use it, as `networkText` of the kernel writes them; empty for all. */
  readonly allowedAddresses: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
  /** Id of the key that made it; null for the operator. */
  readonly createdBy: string | null;
  /** Id of the key that it replaces, and of the key that replaces it. */
  readonly rotatedFrom: string | null;
  readonly rotatedTo: string | null;
  /** Rises by 1 with each write; 0 for a new key. */
  readonly version: number;
  /** True for the key behind a link of an operator, which nobody has seen: it always expires. Absent otherwise. */
  readonly isLink?: true | undefined;
}

/** A key with what else decides whether it opens anything. */
export interface KnownKey {
  readonly record: KeyRecord;
  /** State of the holding tenant; null for a warehouse's key. */
  readonly tenantStatus: 'active' | 'suspended' | null;
}
