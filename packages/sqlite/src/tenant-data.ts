import type { ListedRecord, TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { SqliteDatabase } from './database.ts';
import { eraseRows } from './secure-delete.ts';

/** Rows that one step reads or deletes: few milliseconds, so that other work is not held up. */
export const TENANT_BATCH = 100;

/** A kind of data of a tenant in a SQLite file; see TenantDataKind. */
export interface SqliteKind {
  readonly name: string;
  readonly list?: (tenantId: string, after: string | null) => readonly ListedRecord[];
  /** Runs in a transaction. @returns how many rows it has deleted */
  readonly erase?: (tenantId: string) => number;
}

/** The kind over a file. Each step is one transaction, which overwrites what it deletes. */
export function sqliteKind(db: SqliteDatabase, { name, list, erase }: SqliteKind): TenantDataKind {
  return {
    name,
    ...(list && { list: async (tenantId: string, after: string | null) => list(tenantId, after) }),
    ...(erase && { erase: (tenantId: string) => eraseRows(db, () => erase(tenantId)) }),
  };
}
