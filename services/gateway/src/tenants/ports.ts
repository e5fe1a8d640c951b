import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { ServiceName } from '@parcelway/contracts/service-name';
import type { TenantDataKinds, TenantDataPage } from '@parcelway/contracts/tenant-data-api';
import type { ListPosition } from '@parcelway/kernel/list-position';
import type { ErasureRecord } from './domain/erasure.ts';
import type { TenantRecord, WarehouseRecord } from './domain/records.ts';
import type { RetentionChange, TenantRetentionRecord } from './domain/tenant-retention.ts';
import type { WarehouseChange } from './domain/warehouse-events.ts';

/** Where merchants are kept. */
export interface TenantStore {
  add(tenant: TenantRecord): Promise<void>;
  find(id: string): Promise<TenantRecord | undefined>;
  /** Oldest first; at most `limit`. Costs as much at any place. @param after leaves out the tenant of this position and all before it */
  list(limit: number, after?: ListPosition): Promise<TenantRecord[]>;
  /** Tenants whose name begins with a text, upper and lower case apart, by name; at most `limit`. */
  startingWith(text: string, limit: number): Promise<TenantRecord[]>;
  /** Tenants of exactly this name, in any order; at most `limit`. */
  named(name: string, limit: number): Promise<TenantRecord[]>;
  /** @returns the tenant afterwards; undefined when there is none */
  rename(id: string, name: string): Promise<TenantRecord | undefined>;
  /**
   * @param message event that reports it, written together with it
   * @returns the tenant afterwards; undefined when there is none
   */
  setStatus(id: string, status: TenantRecord['status'], message?: EncodedMessage): Promise<TenantRecord | undefined>;
}

/** Where the time that data of tenants is kept is kept. */
export interface TenantRetentionStore {
  /** Undefined when there is no such tenant. */
  find(tenantId: string): Promise<TenantRetentionRecord | undefined>;
  /**
   * Writes a changed retention and its event in one durable step.
   * @returns false when the stored version is not the one before; nothing changes then
   */
  change(change: RetentionChange): Promise<boolean>;
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
  find(code: string): Promise<WarehouseRecord | undefined>;
  /** By code; at most `limit`. */
  list(limit: number): Promise<WarehouseRecord[]>;
}

/** Where erasures of tenants are kept, for good. */
export interface ErasureStore {
  find(tenantId: string): Promise<ErasureRecord | undefined>;
  /**
   * Writes a new erasure, or one that begins again. One that waits because it failed is tried at once and has no failures any more; one that a process works
   * on stays as it is.
   * @returns the erasure afterwards
   */
  begin(tenantId: string, now: number): Promise<ErasureRecord>;
  /**
   * Takes an erasure that is not finished and that no other process works on.
   * @param until end of the lease, epoch milliseconds; every {@link save} renews it
   */
  lease(owner: string, now: number, until: number): Promise<ErasureRecord | undefined>;
  /**
   * Gives an erasure that failed back until it is to be tried again, with why it failed. Does nothing when another process has taken it.
   * @param until epoch milliseconds
   */
  postpone(tenantId: string, owner: string, failure: string, until: number): Promise<void>;
  /** Writes the progress. @returns false when another process has taken the erasure; nothing changes then */
  save(record: ErasureRecord, owner: string, until: number): Promise<boolean>;
}

/** Stores of tenants and warehouses, which may have keys. */
export interface TenantStores {
  readonly tenants: TenantStore;
  readonly warehouses: WarehouseStore;
  readonly erasures: ErasureStore;
}

/** What one service stores about tenants. Every method throws AppError 50301 when the service or its store is out. */
export interface ServiceData {
  readonly service: ServiceName;
  /** Drops the facts of the tenant from now on, durably. */
  remember(tenantId: string): Promise<void>;
  /** In the order in which they are to be deleted. */
  kinds(): Promise<TenantDataKinds['kinds']>;
  list(kind: string, tenantId: string, after: string | null): Promise<TenantDataPage>;
  /** @returns how many records one step deleted; 0 when none is left */
  erase(kind: string, tenantId: string): Promise<number>;
}

/** What all services store about tenants. */
export interface PlatformData {
  /** In the order in which they are to be deleted: what sends and polls first, the gateway last. */
  readonly services: readonly ServiceData[];
  /** Deletes photos by their tokens. @returns how many */
  erasePhotos(tenantId: string, tokens: readonly string[]): Promise<number>;
}
