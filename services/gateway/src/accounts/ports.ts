import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { ServiceName } from '@parcelway/contracts/service-name';
import type { TenantDataKinds, TenantDataPage } from '@parcelway/contracts/tenant-data-api';
import type { ListPosition } from '@parcelway/kernel/list-position';
import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { KeyRecord } from '../edge/domain/key.ts';
import type { KeyLookup } from '../edge/ports.ts';
import type { ForecastName } from './domain/dead-letter-forecast.ts';
import type { ErasureRecord } from './domain/erasure.ts';
import type { OperatorRecord } from './domain/operator.ts';
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
  /** Deletes keys that were revoked, or have expired, before an instant, the oldest first. @returns how many; at most 2 × `limit` */
  deleteDead(before: number, limit: number): Promise<number>;
  /** Deletes keys of links that have expired before an instant, revoked or not, the oldest first. @returns how many; at most `limit` */
  deleteDeadLinks(before: number, limit: number): Promise<number>;
  /**
   * Revokes a key and records `message` to be published, in one durable write. A key that is revoked already stays as
   * it is, and nothing is recorded; so does one when no other key meets the guard.
   * @returns the key afterwards; undefined when there is none
   */
  revoke(keyId: string, at: number, message: EncodedMessage, guard?: KeyGuard): Promise<KeyRecord | undefined>;
}

/** Where operators and the hashes of their tokens are kept. They are few. */
export interface OperatorStore {
  /** By name; at most `limit`. */
  list(limit: number): Promise<OperatorRecord[]>;
  /**
   * Writes an operator, in the place of one of the same name that is revoked or expired.
   * @returns false when the name belongs to one whose token works; nothing changes then
   */
  add(operator: OperatorRecord, now: number): Promise<boolean>;
  /** Revokes a token; one that is revoked already stays as it is. @returns the operator afterwards; undefined when there is none */
  revoke(name: string, at: number): Promise<OperatorRecord | undefined>;
  /** Deletes an operator that is revoked or expired; does nothing to others. */
  deleteDead(name: string, now: number): Promise<void>;
  /** Notes the latest use of tokens. @param uses name of the operator → epoch milliseconds */
  recordUse(uses: ReadonlyMap<string, number>): Promise<void>;
}

/** All that the gateway keeps. */
export interface GatewayStores {
  readonly tenants: TenantStore;
  readonly retentions: TenantRetentionStore;
  readonly warehouses: WarehouseStore;
  readonly keys: KeyStore;
  readonly erasures: ErasureStore;
  readonly operators: OperatorStore;
  /** What the gateway stores about tenants. */
  readonly tenantData: readonly TenantDataKind[];
  /** Resolves when the store responds. */
  check(): Promise<void>;
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

/** The forecasts of all tenants, in the forecast service. */
export interface ForecastDirectory {
  /**
   * Those that exist, in any order.
   * @param names each once
   * @throws AppError 50301 when the service or its store is out
   */
  existing(names: readonly ForecastName[]): Promise<readonly ForecastName[]>;
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
