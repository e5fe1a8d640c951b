/** A record of a tenant, and where the list goes on behind it. */
export interface ListedRecord {
  /** Opaque; valid for the kind that it came from. */
  readonly cursor: string;
  /** JSON without secrets: what the tenant may receive as a copy of its data. */
  readonly record: Readonly<Record<string, unknown>>;
}

/** One kind of what a service stores about a tenant. Each method throws AppError 50301 when the store is out. */
export interface TenantDataKind {
  /** Lower case with underscores; part of a path and the name of a file. */
  readonly name: string;
  /**
   * The records behind a place, some at a time, in an order that never changes. None at the end. Absent where the records of another kind say the same.
   * @param after null begins
   */
  list?(tenantId: string, after: string | null): Promise<readonly ListedRecord[]>;
  /**
   * Deletes some records, durably. May be repeated, also after a crash at any point. Absent where another kind deletes the same.
   * @returns how many; 0 when none is left
   */
  erase?(tenantId: string): Promise<number>;
}

/** An erased tenant that a store remembers. */
export interface ErasedTenant {
  readonly tenantId: string;
  /** Where the list goes on behind it. */
  readonly cursor: string;
}

/** Which tenants were erased: their facts may still be on their way. Each method throws AppError 50301 when the store is out. */
export interface ErasedTenantStore {
  /** Remembers a tenant for good, durably. Doing it again changes nothing. @param at epoch milliseconds */
  remember(tenantId: string, at: number): Promise<void>;
  /** Those remembered behind a place, at most 1000. Some of before may come again. @param after null begins */
  list(after: string | null): Promise<readonly ErasedTenant[]>;
}

/** What a service stores about tenants: to be copied for them, and to be deleted. */
export interface TenantData {
  /**
   * In the order in which they are to be deleted. What lies outside the service's database is a kind like any other: objects whose keys begin with
   * the tenant, such as `archive/<tenant>/…`, are one whose `erase` deletes some of them.
   */
  readonly kinds: readonly TenantDataKind[];
  readonly erased: ErasedTenantStore;
}
