import { forecastStatuses } from '@parcelway/contracts/forecast-status';
import { defineCollection } from '@parcelway/mongo/mongo-collection';
import { indexOutbox, type OutboxFields, outboxFields } from '@parcelway/mongo/mongo-outbox-fields';
import { byTenant } from '@parcelway/mongo/mongo-sharding';
import { Schema } from 'mongoose';
import type { Correction } from '../domain/correction.ts';
import type { Progress } from '../domain/forecast.ts';
import type { StoredSummary } from './stored-summary.ts';

interface AppliedEvent {
  readonly id: string;
  readonly type: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** A forecast as it lies in MongoDB, with everything that must change together with it. */
export interface ForecastDocument extends OutboxFields, StoredSummary {
  /** Tenant and forecast_no, which makes both unique together: see {@link documentId}. */
  readonly _id: string;
  readonly tenant_id: string;
  readonly forecast_id: number;
  /** What tenants see of the id. */
  readonly shown_id: number;
  readonly forecast_no: string;
  readonly po_number: string;
  /** When it released its po_number, by the clock of the database; {@link STILL_HELD} until then. */
  readonly held_until: Date;
  readonly forecast_type: number;
  /** Missing in forecasts that were never corrected. Not to be confused with `version`. */
  readonly content_version?: number;
  readonly status: number;
  readonly content_hash: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly progress: Progress;
  /** JSON of the canonical form. A text, because nothing but the whole is ever read. */
  readonly content: string;
  /** JSON of the pieces that the warehouse counted; missing until it has. A text, and beside the progress, for the same reason. */
  readonly received_items?: string;
  /** Oldest first; missing until the first. */
  readonly corrections?: readonly Correction[];
  /** Tracking numbers that it holds; absent when there are none, and once it released them. */
  readonly claims?: readonly string[];
  /** What it is found by. */
  readonly terms: readonly string[];
  /** Numbers under which its parcels were scanned, the latest; absent until there are some. */
  readonly scanned?: readonly string[];
  /** The latest, oldest first. */
  readonly applied: readonly AppliedEvent[];
  /** Counts the changes: who writes says which state the decision was made on. */
  readonly version: number;
}

/** `held_until` of a forecast that holds its po_number: the last day that a Date knows, later than any release. */
export const STILL_HELD = new Date(8.64e15);

/** The `_id` of a forecast. Ids of tenants hold no blank, so the two parts cannot run into each other. */
export function documentId(tenantId: string, forecastNo: string): string {
  return `${tenantId} ${forecastNo}`;
}

/** The one forecast. With the tenant, which says which shard it is on. */
export function idFilter(tenantId: string, forecastNo: string) {
  return { _id: documentId(tenantId, forecastNo), tenant_id: { $eq: tenantId } };
}

/** Names of the indexes, for violations and queries. */
export const forecastIndexes = {
  forecastNo: '_id_',
  poNumber: 'po_number',
  claims: 'claims',
  newest: 'newest',
  newestOfPoNumber: 'newest_of_po_number',
  newestOfStatus: 'newest_of_status',
  newestOfTerm: 'newest_of_term',
  changed: 'changed',
  ended: 'ended',
  scanned: 'scanned',
} as const;

const forecastSchema = new Schema({
  _id: { type: String, required: true },
  tenant_id: { type: String, required: true },
  forecast_id: { type: Number, required: true },
  shown_id: { type: Number, required: true },
  forecast_no: { type: String, required: true },
  po_number: { type: String, required: true },
  held_until: { type: Date, required: true },
  forecast_type: { type: Number, required: true },
  warehouse_code: { type: String, required: true },
  due_date: { type: String, default: null },
  item_count: { type: Number, required: true },
  content_version: Number,
  status: { type: Number, required: true },
  content_hash: { type: String, required: true },
  created_at: { type: Number, required: true },
  updated_at: { type: Number, required: true },
  progress: { type: Schema.Types.Mixed, required: true },
  content: { type: String, required: true },
  received_items: String,
  corrections: { type: Schema.Types.Mixed, default: undefined },
  claims: { type: [String], default: undefined },
  terms: { type: [String], required: true },
  scanned: { type: [String], default: undefined },
  applied: { type: [{ _id: false, id: String, type: { type: String }, at: Number }], required: true },
  version: { type: Number, required: true },
  ...outboxFields,
});

// One holder of a po_number, and the look-up of it: the holder sorts last, before it those that released it, in the order
// in which they had it.
forecastSchema.index({ tenant_id: 1, po_number: 1, held_until: 1 }, { name: forecastIndexes.poNumber, unique: true });
// An index over an array has one key per element, unique between documents. A document without the field is not in it.
forecastSchema.index(
  { tenant_id: 1, claims: 1 },
  { name: forecastIndexes.claims, unique: true, partialFilterExpression: { claims: { $exists: true } } },
);
// The lists, each in its order.
forecastSchema.index({ tenant_id: 1, created_at: -1, forecast_id: -1 }, { name: forecastIndexes.newest });
forecastSchema.index({ tenant_id: 1, po_number: 1, created_at: -1, forecast_id: -1 }, { name: forecastIndexes.newestOfPoNumber });
forecastSchema.index({ tenant_id: 1, status: 1, created_at: -1, forecast_id: -1 }, { name: forecastIndexes.newestOfStatus });
forecastSchema.index({ tenant_id: 1, terms: 1, created_at: -1, forecast_id: -1 }, { name: forecastIndexes.newestOfTerm });
forecastSchema.index({ tenant_id: 1, updated_at: -1, forecast_id: -1 }, { name: forecastIndexes.changed });
// What has ended, in the order of its end: completed and cancelled forecasts alone.
forecastSchema.index(
  { tenant_id: 1, updated_at: 1, forecast_id: 1 },
  { name: forecastIndexes.ended, partialFilterExpression: { status: { $gte: forecastStatuses.COMPLETED } } },
);
// Over all tenants: who submits a number that was scanned for another tenant is warned.
forecastSchema.index(
  { warehouse_code: 1, scanned: 1, tenant_id: 1 },
  { name: forecastIndexes.scanned, partialFilterExpression: { scanned: { $exists: true } } },
);
indexOutbox(forecastSchema);

export const forecasts = defineCollection<ForecastDocument>('forecasts', forecastSchema, { sharding: byTenant });
