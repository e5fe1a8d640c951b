import { defineCollection, type MongoCollection } from '@parcelway/mongo/mongo-collection';
import { indexOutbox, type OutboxFields, outboxFields } from '@parcelway/mongo/mongo-outbox';
import { Schema } from 'mongoose';

/** A warehouse's event as it lies in MongoDB, with its publication in the outbox. */
export interface EventDocument extends OutboxFields {
  /** Rises with the time of storing. Also the id of the domain event that it becomes, so that there is one of it at most. */
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
  /** IntakeEvent as JSON. A text, because it is read and compared as a whole. */
  readonly event: string;
  /** Why it has no forecast yet. Absent once it is published. */
  readonly waiting?: string;
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
  /** Numbers that a cancellation took away and whose events have not all been matched again. */
  readonly freed?: readonly string[];
  /** Epoch milliseconds. */
  readonly cancelled_at?: number;
  /** When an event ended the parcel's stay in the warehouse, epoch milliseconds. */
  readonly finished_at?: number;
  /** cancelled_at, or else finished_at: from then on the forecast is kept for a while only. */
  readonly closed_at?: number;
}

/** Names of the indexes that a query or a violation is told by. */
export const eventIndexes = {
  event: 'event',
  waitingScanned: 'waiting_scanned',
  waitingNamed: 'waiting_named',
  unclaimed: 'unclaimed',
  reason: 'reason',
  received: 'received',
  unfinished: 'unfinished',
} as const;

const eventSchema = new Schema({
  _id: { type: String, required: true },
  warehouse_code: { type: String, required: true },
  event_id: { type: String, required: true },
  forecast_no: String,
  scanned_no: String,
  occurred_at: { type: Number, required: true },
  received_at: { type: Number, required: true },
  event: { type: String, required: true },
  waiting: String,
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
// Without the owner in front from here on. A forecast meets the events that name it, whichever warehouse reported them:
// those of another warehouse wait too, and are told so.
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
indexOutbox(eventSchema);

const forecastSchema = new Schema({
  _id: { type: String, required: true },
  tenant_id: String,
  environment: String,
  warehouse_code: String,
  forecast_type: Number,
  numbers: { type: [String], default: undefined },
  claimed: { type: [String], default: undefined },
  freed: { type: [String], default: undefined },
  cancelled_at: Number,
  finished_at: Number,
  closed_at: Number,
});

// An index over an array has one key per element: the forecasts that declare a number at a warehouse.
forecastSchema.index({ warehouse_code: 1, numbers: 1 }, { name: 'declared', partialFilterExpression: { numbers: { $exists: true } } });
// The platform's own sweep over all tenants: the end of the keeping.
forecastSchema.index({ closed_at: 1 }, { name: 'closed', partialFilterExpression: { closed_at: { $exists: true } } });

/** What warehouses reported. */
export const events = defineCollection<EventDocument>('events', eventSchema);

/** The directory of forecasts that events are matched with. */
export const forecasts = defineCollection<ForecastDocument>('forecasts', forecastSchema);

/** Every collection of the service. */
export const intakeCollections: readonly MongoCollection<unknown>[] = [events, forecasts];
