import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { KeyRecord } from '../edge/domain/key.ts';
import type { KeyLookup } from '../edge/ports.ts';
import type { TenantRecord, WarehouseRecord } from './domain/records.ts';
import type { WarehouseChange } from './domain/warehouse-events.ts';

/** Where merchants are kept. */
export interface TenantStore {
  add(tenant: TenantRecord): Promise<void>;
  find(id: string): Promise<TenantRecord | undefined>;
  /** Oldest first; at most `limit`. */
  list(limit: number): Promise<TenantRecord[]>;
  /** Tenants of exactly this name, in any order; at most `limit`. */
  named(name: string, limit: number): Promise<TenantRecord[]>;
  /** @returns the tenant afterwards; undefined when there is none */
  setStatus(id: string, status: TenantRecord['status']): Promise<TenantRecord | undefined>;
}

/** Where warehouses are kept. */
export interface WarehouseStore {
  /**
   * Writes a new warehouse and its event in one durable step.
   * @returns false when the code is taken; nothing changes then
   */
  add(change: WarehouseChange): Promise<boolean>;
  /**
   * Writes a changed warehouse and its event in one durable step.
   * @returns false when the stored version is not the one before; nothing changes then
   */
  change(change: WarehouseChange): Promise<boolean>;
  /** Those in version 0, in any order; at most `limit`. */
  unannounced(limit: number): Promise<WarehouseRecord[]>;
  find(code: string): Promise<WarehouseRecord | undefined>;
  /** By code; at most `limit`. */
  list(limit: number): Promise<WarehouseRecord[]>;
}

/** Narrows a list of keys; empty for all. */
export interface KeyFilter {
  readonly tenantId?: string;
  readonly warehouseCode?: string;
}

/** Where the hashes of keys are kept. */
export interface KeyStore extends KeyLookup {
  add(key: KeyRecord): Promise<void>;
  find(keyId: string): Promise<KeyRecord | undefined>;
  /** Newest first; at most `limit`. */
  list(filter: KeyFilter, limit: number): Promise<KeyRecord[]>;
  /**
   * Revokes a key and records `message` to be published, in one durable write. A key that is revoked already stays as
   * it is, and nothing is recorded.
   * @returns the key afterwards; undefined when there is none
   */
  revoke(keyId: string, at: number, message: EncodedMessage): Promise<KeyRecord | undefined>;
}

/** All that the gateway keeps. */
export interface GatewayStores {
  readonly tenants: TenantStore;
  readonly warehouses: WarehouseStore;
  readonly keys: KeyStore;
  /** Resolves when the store responds. */
  check(): Promise<void>;
}
