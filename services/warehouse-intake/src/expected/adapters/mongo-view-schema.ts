import { defineCollection } from '@parcelway/mongo/mongo-collection';
import { indexOutbox, type OutboxFields, outboxFields } from '@parcelway/mongo/mongo-outbox-fields';
import { byId } from '@parcelway/mongo/mongo-sharding';
import { Schema } from 'mongoose';

/** A forecast of the warehouse's view as it lies in MongoDB, with the changes that are still pending for systems outside. */
export interface ViewDocument extends OutboxFields {
  /** The forecast's number, with the former warehouse behind it where the document is a move (domain/seen-by-warehouse movedId). */
  readonly _id: string;
  /** Absent until the acceptance is known; and from a move once the forecast has come back. */
  readonly warehouse_code?: string;
  readonly tenant_id: string;
  /** 0 when the document is a move. */
  readonly status: number;
  readonly due_date?: string;
  /** Place in the order of changes, epoch microseconds by the server's clock; of equal ones the _id decides. */
  readonly stamp: number;
  /** Since when it is kept for a while only, epoch milliseconds. Absent while the parcel is expected or present. */
  readonly closed_at?: number;
  /** Rises with every write that depends on what was read. */
  readonly revision: number;
  /** Of a move: the version of the forecast that it is true of. An older one never replaces it. */
  readonly version?: number;
  /** ViewForecast as JSON. */
  readonly forecast: string;
  /** ViewItem[] as JSON. Read only when they are asked for. */
  readonly items?: string;
  /** What a scan finds the forecast by (domain/scan-keys) while the parcel is expected or present … */
  readonly live_keys?: readonly string[];
  /** … and afterwards. */
  readonly past_keys?: readonly string[];
}

/** Names of the indexes that queries name. */
export const viewIndexes = {
  status: 'view_status',
  tenant: 'view_tenant',
  due: 'view_due',
  tenantDue: 'view_tenant_due',
  liveKeys: 'view_live_keys',
  pastKeys: 'view_past_keys',
  closed: 'view_closed',
} as const;

const viewSchema = new Schema({
  _id: { type: String, required: true },
  warehouse_code: String,
  tenant_id: { type: String, required: true },
  status: { type: Number, required: true },
  due_date: String,
  stamp: { type: Number, required: true },
  closed_at: Number,
  revision: { type: Number, required: true },
  version: Number,
  forecast: { type: String, required: true },
  items: String,
  live_keys: { type: [String], default: undefined },
  past_keys: { type: [String], default: undefined },
  ...outboxFields,
});

const isAccepted = { warehouse_code: { $exists: true } };
const isDue = { due_date: { $exists: true } };
viewSchema.index({ warehouse_code: 1, status: 1, stamp: -1, _id: -1 }, { name: viewIndexes.status, partialFilterExpression: isAccepted });
viewSchema.index(
  { warehouse_code: 1, tenant_id: 1, status: 1, stamp: -1, _id: -1 },
  { name: viewIndexes.tenant, partialFilterExpression: isAccepted },
);
viewSchema.index(
  { warehouse_code: 1, due_date: 1, status: 1, stamp: -1, _id: -1 },
  { name: viewIndexes.due, partialFilterExpression: isDue },
);
viewSchema.index(
  { warehouse_code: 1, tenant_id: 1, due_date: 1, status: 1, stamp: -1, _id: -1 },
  { name: viewIndexes.tenantDue, partialFilterExpression: isDue },
);
// An index over an array has one key per element.
viewSchema.index(
  { warehouse_code: 1, live_keys: 1, _id: 1 },
  { name: viewIndexes.liveKeys, partialFilterExpression: { live_keys: { $exists: true } } },
);
viewSchema.index(
  { warehouse_code: 1, past_keys: 1, _id: 1 },
  { name: viewIndexes.pastKeys, partialFilterExpression: { past_keys: { $exists: true } } },
);
// The platform's own sweep over all warehouses: the end of the keeping.
viewSchema.index({ closed_at: 1 }, { name: viewIndexes.closed, partialFilterExpression: { closed_at: { $exists: true } } });
// The data of a tenant, to be copied or deleted.
viewSchema.index({ tenant_id: 1, _id: 1 }, { name: 'view_of_tenant' });
indexOutbox(viewSchema);

/** What warehouses see of forecasts. */
export const viewForecasts = defineCollection<ViewDocument>('view_forecasts', viewSchema, { sharding: byId });
