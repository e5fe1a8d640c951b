import { defineCollection } from '@parcelway/mongo/mongo-collection';
import { indexOutbox, type OutboxFields, outboxFields } from '@parcelway/mongo/mongo-outbox-fields';
import { byId, byWarehouse } from '@parcelway/mongo/mongo-sharding';
import { Schema } from 'mongoose';

/** A warehouse's event as it lies in MongoDB, with its publication in the outbox. */
export interface EventDocument extends OutboxFields {
  /** Rises with the time of storing. Also the id of the domain event that it becomes at once. */
  readonly _id: string;
  readonly warehouse_code: string;
  readonly event_id: string;
  /** The number that it is matched by: the forecast it names … */
  readonly forecast_no?: string;
  /** … or else, normalised, the number scanned from the parcel. */
  readonly scanned_no?: string;
  /** Epoch milliseconds. */
  readonly occurred_at: number;
  /** Epoch milliseconds. */
  readonly received_at: number;
  /** As domain/event storedText writes it. A text, because it is read and compared as a whole. */
  readonly event: string;
  /** The kind that it is found by once it is applied (domain/parcel-reports). Absent when it says nothing but the status. */
  readonly report_kind?: string;
  /** Why it has no forecast yet. Absent once it is published. */
  readonly waiting?: string;
  /** The resolution that ends its waiting. */
  readonly resolution?: string;
  /** Number of the forecast that it was published for. */
  readonly published_to?: string;
  /** It says whose parcel its scanned number is on: the first under it for this forecast, or one that names it among several. */
  readonly claims_number?: true;
  /** It was published and ended the parcel's stay in the warehouse. */
  readonly ends_stay?: true;
  /**
   * Since when a step remains that could not be part of the last write, epoch milliseconds: of a waiting event the second
   * look into the directory, of a published one what it changes there. Absent when none does.
   */
  readonly unfinished_since?: number;
}

/** A number that a warehouse has claimed for a forecast. */
export interface ClaimedDocument {
  readonly number: string;
  /** Id of the resolution. */
  readonly by: string;
}

/** A forecast of the directory as it lies in MongoDB. */
export interface ForecastDocument {
  /** The forecast's number. */
  readonly _id: string;
  /** Absent from here to forecast_type when the cancellation was seen before the acceptance. */
  readonly tenant_id?: string;
  readonly environment?: string;
  readonly warehouse_code?: string;
  readonly forecast_type?: number;
  /** Numbers that it declares. Absent when there are none, and once it is cancelled. */
  readonly numbers?: readonly string[];
  /** Those of the numbers under which an event went to it. */
  readonly claimed?: readonly string[];
  /** Numbers that the warehouse has claimed for it, and by which resolution. Scanned ones are among the numbers, too. */
  readonly assigned?: readonly ClaimedDocument[];
  /** Forecast numbers that lead nowhere and that the warehouse has claimed for it. */
  readonly stands_in_for?: readonly ClaimedDocument[];
  /** Numbers that a cancellation took away and whose events have not all been matched again. */
  readonly freed?: readonly string[];
  /** Version of the forecast that it follows; missing before the first correction. */
  readonly version?: number;
  /** Numbers that a correction took away, where they led here, and whose events have not all been matched again. */
  readonly left?: readonly { readonly warehouse_code: string; readonly number: string }[];
  /** Epoch milliseconds. */
  readonly cancelled_at?: number;
  /** When an event ended the parcel's stay in the warehouse, epoch milliseconds. */
  readonly finished_at?: number;
  /** cancelled_at, or else finished_at: from then on the forecast is kept for a while only. */
  readonly closed_at?: number;
}

/** Names of the indexes, for queries and violations. */
export const eventIndexes = {
  event: 'event',
  waitingScanned: 'waiting_scanned',
  waitingNamed: 'waiting_named',
  unclaimed: 'unclaimed',
  reason: 'reason',
  received: 'received',
  unfinished: 'unfinished',
  reasonAt: 'reason_at',
  resolved: 'resolved',
  applied: 'applied',
} as const;

/** Names of the indexes of the directory that a query names. */
export const forecastIndexes = { alias: 'stands_in', claimed: 'claimed' } as const;

const eventSchema = new Schema({
  _id: { type: String, required: true },
  warehouse_code: { type: String, required: true },
  event_id: { type: String, required: true },
  forecast_no: String,
  scanned_no: String,
  occurred_at: { type: Number, required: true },
  received_at: { type: Number, required: true },
  event: { type: String, required: true },
  report_kind: String,
  waiting: String,
  resolution: String,
  published_to: String,
  claims_number: Boolean,
  ends_stay: Boolean,
  unfinished_since: Number,
  ...outboxFields,
});

eventSchema.index({ warehouse_code: 1, event_id: 1 }, { name: eventIndexes.event, unique: true });
// The indexes of what waits hold what waits and nothing else: they stay small, and a publication leaves them.
eventSchema.index(
  { warehouse_code: 1, scanned_no: 1, occurred_at: 1, _id: 1 },
  { name: eventIndexes.waitingScanned, partialFilterExpression: { waiting: { $exists: true }, scanned_no: { $exists: true } } },
);
// The list of a warehouse, by reason; and what a resolution has ended.
eventSchema.index(
  { warehouse_code: 1, waiting: 1, received_at: 1, _id: 1 },
  { name: eventIndexes.reasonAt, partialFilterExpression: { waiting: { $exists: true } } },
);
eventSchema.index(
  { warehouse_code: 1, resolution: 1 },
  { name: eventIndexes.resolved, partialFilterExpression: { resolution: { $exists: true } } },
);
// What a warehouse has reported of a forecast, by kind.
eventSchema.index(
  { warehouse_code: 1, published_to: 1, report_kind: 1, occurred_at: -1, _id: -1 },
  { name: eventIndexes.applied, partialFilterExpression: { published_to: { $exists: true }, report_kind: { $exists: true } } },
);
// Without the owner in front from here on. A forecast meets the events that name it, whichever warehouse reported them:
// those of another warehouse wait too, for that reason.
eventSchema.index(
  { forecast_no: 1, occurred_at: 1, _id: 1 },
  { name: eventIndexes.waitingNamed, partialFilterExpression: { waiting: { $exists: true }, forecast_no: { $exists: true } } },
);
// The platform's own list of unclaimed parcels, over all warehouses, oldest first.
eventSchema.index({ received_at: 1, _id: 1 }, { name: eventIndexes.unclaimed, partialFilterExpression: { waiting: { $exists: true } } });
// The same by reason, and the count of each.
eventSchema.index(
  { waiting: 1, received_at: 1, _id: 1 },
  { name: eventIndexes.reason, partialFilterExpression: { waiting: { $exists: true } } },
);
// The platform's own sweeps: the end of the keeping, and what a crash left unfinished.
eventSchema.index({ received_at: 1 }, { name: eventIndexes.received });
eventSchema.index(
  { unfinished_since: 1 },
  { name: eventIndexes.unfinished, partialFilterExpression: { unfinished_since: { $exists: true } } },
);
// What was published for a forecast, to be copied or deleted with the data of its tenant.
eventSchema.index({ published_to: 1, _id: 1 }, { name: 'of_forecast', partialFilterExpression: { published_to: { $exists: true } } });
indexOutbox(eventSchema);

const claimedSchema = new Schema({ number: String, by: String }, { _id: false });

const forecastSchema = new Schema({
  _id: { type: String, required: true },
  tenant_id: String,
  environment: String,
  warehouse_code: String,
  forecast_type: Number,
  numbers: { type: [String], default: undefined },
  claimed: { type: [String], default: undefined },
  assigned: { type: [claimedSchema], default: undefined },
  stands_in_for: { type: [claimedSchema], default: undefined },
  freed: { type: [String], default: undefined },
  version: Number,
  left: { type: [{ _id: false, warehouse_code: String, number: String }], default: undefined },
  cancelled_at: Number,
  finished_at: Number,
  closed_at: Number,
});

// An index over an array has one key per element: the forecasts that declare a number at a warehouse.
forecastSchema.index({ warehouse_code: 1, numbers: 1 }, { name: 'declared', partialFilterExpression: { numbers: { $exists: true } } });
// The forecast that a warehouse has claimed a number for that leads nowhere.
forecastSchema.index(
  { warehouse_code: 1, 'stands_in_for.number': 1 },
  { name: forecastIndexes.alias, partialFilterExpression: { 'stands_in_for.number': { $exists: true } } },
);
// The forecasts that a warehouse has claimed a logistics number for.
forecastSchema.index(
  { warehouse_code: 1, 'assigned.number': 1 },
  { name: forecastIndexes.claimed, partialFilterExpression: { 'assigned.number': { $exists: true } } },
);
// The platform's own sweep over all tenants: the end of the keeping.
forecastSchema.index({ closed_at: 1 }, { name: 'closed', partialFilterExpression: { closed_at: { $exists: true } } });

// The data of a tenant, to be copied or deleted.
forecastSchema.index({ tenant_id: 1, _id: 1 }, { name: 'of_tenant', partialFilterExpression: { tenant_id: { $exists: true } } });

/** What warehouses reported. */
export const events = defineCollection<EventDocument>('events', eventSchema, { sharding: byWarehouse });

/** The directory of forecasts that events are matched with. */
export const forecasts = defineCollection<ForecastDocument>('forecasts', forecastSchema, { sharding: byId });
