import { defineCollection } from '@parcelway/mongo/mongo-collection';
import { byTenant } from '@parcelway/mongo/mongo-sharding';
import { Schema } from 'mongoose';
import type { StoredImport, StoredImportRow } from './stored-import.ts';

export interface ImportDocument extends StoredImport {
  /** Tenant and import, see {@link importDocumentId}. */
  readonly _id: string;
  /** Absent without an idempotency key. */
  readonly seed?: string;
  /** Absent once it has finished. */
  readonly is_unfinished?: true;
}

/** A row of an import as it lies in MongoDB. */
export interface ImportRowDocument extends StoredImportRow {
  /** Tenant, import and row, see {@link rowDocumentId}. */
  readonly _id: string;
  readonly tenant_id: string;
  readonly import_id: string;
}

/** The `_id` of an import. */
export const importDocumentId = (tenantId: string, importId: string): string => `${tenantId} ${importId}`;

/** The `_id` of a row; ids of an import are in the order of its rows. */
export const rowDocumentId = (tenantId: string, importId: string, row: number): string =>
  `${tenantId} ${importId} ${String(row).padStart(8, '0')}`;

/** Names of the indexes. */
export const importIndexes = {
  newest: 'newest',
  unfinished: 'unfinished',
  seed: 'seed',
  state: 'state',
  pending: 'pending',
  noted: 'noted',
} as const;

const text = { type: String, required: true };
const number = { type: Number, required: true };

const importSchema = new Schema({
  _id: text,
  tenant_id: text,
  import_id: text,
  file_name: text,
  file_key: text,
  kind: text,
  mapping: text,
  validate_only: number,
  seed: String,
  is_unfinished: Boolean,
  state: text,
  phase: text,
  total: number,
  accepted: number,
  failed: number,
  forecasts_accepted: number,
  forecasts_failed: number,
  columns: text,
  warnings: text,
  error: { type: String, default: null },
  created_at: number,
  finished_at: { type: Number, default: null },
  key_id: text,
  attempt: number,
});
importSchema.index({ tenant_id: 1, import_id: 1 }, { name: importIndexes.newest });
importSchema.index(
  { tenant_id: 1, is_unfinished: 1, import_id: 1 },
  { name: importIndexes.unfinished, partialFilterExpression: { is_unfinished: true } },
);
importSchema.index(
  { tenant_id: 1, seed: 1 },
  { name: importIndexes.seed, unique: true, partialFilterExpression: { seed: { $exists: true } } },
);

export const imports = defineCollection<ImportDocument>('imports', importSchema, { sharding: byTenant });

const rowSchema = new Schema({
  _id: text,
  tenant_id: text,
  import_id: text,
  row_no: number,
  po_number: { type: String, default: '' },
  cells: text,
  state: number,
  forecast_no: { type: String, default: null },
  findings: { type: String, default: null },
});
// The order of a file, of all rows and of those of a state.
rowSchema.index({ tenant_id: 1, import_id: 1, state: 1, row_no: 1 }, { name: importIndexes.state });
rowSchema.index(
  { tenant_id: 1, import_id: 1, po_number: 1, row_no: 1 },
  { name: importIndexes.pending, partialFilterExpression: { state: 0 } },
);

export const importRows = defineCollection<ImportRowDocument>('import_rows', rowSchema, { sharding: byTenant });

/** What has stopped imports lately, as it lies in MongoDB. */
export interface ImportStopDocument {
  /** Tenant and key; the tenant and `tenant` when it was the tenant as a whole. */
  readonly _id: string;
  readonly tenant_id: string;
  /** Null when it was the tenant as a whole. */
  readonly key_id: string | null;
  readonly stopped_at: number;
  readonly noted_at: number;
}

const stopSchema = new Schema({
  _id: text,
  tenant_id: text,
  key_id: { type: String, default: null },
  stopped_at: number,
  noted_at: number,
});
stopSchema.index({ noted_at: 1 }, { name: importIndexes.noted });

/** What has stopped imports lately. */
export const importStops = defineCollection<ImportStopDocument>('import_stops', stopSchema, {
  sharding: { unsharded: 'one small document for each key and tenant that was stopped in the last two hours' },
});

/** What imports add to the collections of the service. */
export const importCollections = [imports, importRows, importStops] as const;
