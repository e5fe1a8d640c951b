import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { ListPosition } from '@parcelway/kernel/list-position';
import type { KeyRecord } from '../proxy/domain/key.ts';
import type { KeyLookup } from '../proxy/ports.ts';
import type { TenantStores } from '../tenants/ports.ts';

/** Narrows a list of keys; empty for all. */
export interface KeyFilter {
  readonly tenantId?: string;
  readonly warehouseCode?: string;
}

/** What another key of a tenant has to be, so that a key may lose the right to manage keys. It is judged in the write: of several at the same time, none misses another. */
export interface KeyGuard {
  readonly tenantId: string;
  /** Keys that are dead by then do not count; epoch milliseconds. */
  readonly now: number;
  readonly isMetBy: (key: KeyRecord) => boolean;
}

/** Most working keys of which one may meet a guard: more than a tenant can create. */
export const MAX_GUARDING = 1000;

/** Where the hashes of keys are kept. */
export interface KeyStore extends KeyLookup {
  add(key: KeyRecord): Promise<void>;
  find(keyId: string): Promise<KeyRecord | undefined>;
  /** Newest first; at most `limit`. Costs as much at any place. @param after leaves out the key of this position and all before it */
  list(filter: KeyFilter, limit: number, after?: ListPosition): Promise<KeyRecord[]>;
  /**
   * Writes a key unless its tenant has as many as it may that work: links are counted by themselves, and so are keys.
   * @param limit of keys, or of links, of the tenant that are neither revoked nor expired
   * @returns false when the tenant has so many; nothing is kept then
   */
  addWithin(key: KeyRecord, limit: number, now: number): Promise<boolean>;
  /** Keys of a tenant that are neither revoked nor expired, without those of links, in any order; at most `limit`. */
  alive(tenantId: string, now: number, limit: number): Promise<KeyRecord[]>;
  /** Keys of links to the console of a tenant that are neither revoked nor expired, those that end first come first; at most `limit`. */
  aliveLinks(tenantId: string, now: number, limit: number): Promise<KeyRecord[]>;
  /** When keys of a tenant were created, without those of links, those that are dead too: after `since`, the newest first; at most `limit`. Epoch milliseconds. */
  createdAfter(tenantId: string, since: number, limit: number): Promise<number[]>;
  /**
   * Writes a changed key.
   * @returns false when the stored version is not the one before, the key is revoked, or no other key meets the guard; nothing changes then
   */
  change(key: KeyRecord, guard?: KeyGuard): Promise<boolean>;
  /**
   * Writes a new key and, with it, that and how long it replaces another, in one durable write.
   * @param former the key that is replaced, changed
   * @returns false as {@link change}; nothing is kept then
   */
  rotate(former: KeyRecord, key: KeyRecord): Promise<boolean>;
  /**
   * Revokes a key and records `message` to be published, in one durable write. A key that is revoked already stays as
   * it is, and nothing is recorded; so does one when no other key meets the guard.
   * @returns the key afterwards; undefined when there is none
   */
  revoke(keyId: string, at: number, message: EncodedMessage, guard?: KeyGuard): Promise<KeyRecord | undefined>;
}

/** Stores of keys and of their holders. */
export interface KeyStores extends TenantStores {
  readonly keys: KeyStore;
}
