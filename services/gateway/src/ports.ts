import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceName } from '@parcelway/contracts/service-name';
import type { KeyRecord, KnownKey, TenantRecord, WarehouseRecord } from './domain/records.ts';

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
  /** @returns false when the code is taken; nothing changes then */
  add(warehouse: WarehouseRecord): Promise<boolean>;
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
export interface KeyStore {
  add(key: KeyRecord): Promise<void>;
  /** The key with this hash, whatever its state. @throws AppError 50301 when the store is out */
  findByHash(hash: string): Promise<KnownKey | undefined>;
  find(keyId: string): Promise<KeyRecord | undefined>;
  /** Newest first; at most `limit`. */
  list(filter: KeyFilter, limit: number): Promise<KeyRecord[]>;
  /**
   * Revokes a key and records `message` to be published, in one durable write. A key that is revoked already stays as
   * it is, and nothing is recorded.
   * @returns the key afterwards; undefined when there is none
   */
  revoke(keyId: string, at: number, message: EncodedMessage): Promise<KeyRecord | undefined>;
  /** Notes when keys were last used; never moves one backwards. */
  recordUse(uses: ReadonlyMap<string, number>): Promise<void>;
}

/** All that the gateway keeps. */
export interface GatewayStores {
  readonly tenants: TenantStore;
  readonly warehouses: WarehouseStore;
  readonly keys: KeyStore;
  /** Resolves when the store answers. */
  check(): Promise<void>;
}

/** Keys known to the replicas of the gateway, for a short time. Never throws: a failing cache is a miss. */
export interface SharedKeys {
  get(hash: string): Promise<KnownKey | undefined> | KnownKey | undefined;
  set(hash: string, key: KnownKey, ttlMs: number): void;
  delete(hash: string): void;
}

/** Calls other services. */
export interface Services {
  /**
   * `data` of the answer.
   * @throws AppError the callee's failure, or 50301 when it does not answer in time
   */
  call<T>(call: {
    readonly service: ServiceName;
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly principal: Principal;
    readonly body?: unknown;
    readonly contentType?: string;
    readonly requestId?: string;
    readonly timeoutMs?: number;
  }): Promise<T>;
}
