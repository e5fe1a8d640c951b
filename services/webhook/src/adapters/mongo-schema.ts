import type { AttemptErrorCode } from '@parcelway/contracts/webhook-delivery-api';
import type { DisabledReason, EndpointPayload } from '@parcelway/contracts/webhook-endpoint-api';
import type { SentEventType, TenantEventType } from '@parcelway/contracts/webhook-event-types';
import { defineCollection, type MongoCollection } from '@parcelway/mongo/mongo-collection';
import { idempotencyKeys } from '@parcelway/mongo/mongo-idempotency';
import { Schema } from 'mongoose';
import type { Attempt, DeliveryStatus, NextReason } from '../domain/delivery.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import type { EventStream } from '../domain/event-stream.ts';
import type { PlannedDelivery } from '../ports.ts';

/*
 * All times are epoch milliseconds. Indexes start with the tenant, or with a key that does, but for those of the
 * platform's own work over all tenants: `queue` and `leased` for the senders, `to_sweep`, `untold`, `paused` and the `by_age`
 * ones for the upkeep. An endpoint is found by its id alone, too, because the senders go from endpoint to endpoint. Nothing that a tenant asks
 * for is answered by these.
 *
 * Secrets are stored as they are: every attempt is signed with them, so whoever can send can read them, and a key beside
 * the database would protect nothing. They leave the store only for signing and the two answers that show them.
 *
 * Fields that the first version did not write are optional here: its documents are read as they are (mongo-documents).
 */

/** A receiver. */
export interface EndpointDocument {
  /** `ep_…`. */
  readonly _id: string;
  readonly tenant_id: string;
  /** Its place among the tenant's endpoints, from 0; absent once it is deleted. */
  readonly slot?: number;
  readonly url: string;
  readonly event_types: readonly TenantEventType[];
  readonly description: string;
  /** JSON, as the next two: the names in it are the tenant's, and may hold what a name of a field must not. */
  readonly filter?: string;
  readonly headers?: string;
  readonly metadata?: string;
  readonly rate_limit?: number | null;
  readonly payload?: EndpointPayload;
  readonly status: Endpoint['status'];
  readonly disabled_reason: DisabledReason | null;
  readonly paused_at?: number | null;
  readonly disabling_to_tell?: number | null;
  readonly circuit?: { readonly open_until: number; readonly cooldown_ms: number } | null;
  readonly slowed_until?: number | null;
  readonly secret: string;
  readonly former_secret: string | null;
  readonly former_secret_until: number | null;
  readonly failing_since: number | null;
  readonly created_at: number;
  readonly updated_at: number;
  /** Counts the writes: who changes it says which state the decision was made on. */
  readonly version: number;
  /** What the upkeep has still to do with its deliveries. */
  readonly sweep?: 'hold' | 'purge';
}

/** What was planned for an endpoint when its event came. */
export interface PlannedFields {
  readonly endpoint_id: string;
  readonly delivery_id: string;
  readonly status: PlannedDelivery['status'];
  readonly next_attempt_at: number | null;
}

/** An event, with the deliveries that must exist because of it. */
export interface EventDocument {
  /** See mongo-documents eventKey. */
  readonly _id: string;
  readonly tenant_id: string;
  readonly event_id: string;
  /** See mongo-documents parcelKey. Absent, as the number, when it belongs to no parcel. */
  readonly parcel?: string;
  readonly event_seq?: number;
  readonly type: SentEventType;
  readonly po_number: string | null;
  readonly body: string;
  /** Absent when it is not known. */
  readonly traceparent?: string;
  readonly occurred_at: number;
  readonly created_at: number;
  /** Its place in the feed, by the server's clock and in the range of its stream: see mongo-feed. {@link NOT_FED} for a test event. */
  readonly fed_at?: number;
  readonly planned: readonly PlannedFields[];
}

/** `fed_at` of what is not in the feed. */
export const NOT_FED = 0;
/**
 * Where the range of `fed_at` begins that a stream has: behind every instant of the stream before, so that one index holds the streams
 * apart. Processes of versions that know one stream read no further than the present, and see nothing of the other.
 */
export const STREAM_BEGINS: Readonly<Record<EventStream, number>> = { standard: 0, opt_in: 1_000_000_000_000_000 };

/** The highest number of a parcel whose events have been deleted by the retention. */
export interface SequenceDocument {
  /** See mongo-documents parcelKey. */
  readonly _id: string;
  readonly last: number;
  /** When the youngest deleted event was made. */
  readonly updated_at: number;
}

/** An attempt in the log of its delivery. Its number follows from its place. */
export interface AttemptFields {
  readonly attempt_id: string;
  readonly url?: string;
  readonly started_at: number;
  readonly duration_ms: number;
  readonly outcome: Attempt['outcome'];
  readonly status_code: number | null;
  readonly error: string | null;
  /** Absent for a success. */
  readonly error_code?: AttemptErrorCode | null;
  readonly retry_after?: string | null;
  readonly response_body: string | null;
}

/** An event on its way to an endpoint, with the log of its attempts, so that a result and its log entry are one write. */
export interface DeliveryDocument {
  /** See mongo-documents deliveryKey: one to an event and endpoint. */
  readonly _id: string;
  readonly tenant_id: string;
  readonly delivery_id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: SentEventType;
  readonly po_number: string | null;
  readonly status: DeliveryStatus;
  readonly attempt_count: number;
  readonly step: number;
  /** Absent when it is not. */
  readonly test?: true;
  readonly next_attempt_at: number | null;
  readonly next_reason?: NextReason | null;
  /** From when on it may be leased; present while, and only while, it is pending. */
  readonly available_at?: number;
  /** The process that has leased it. */
  readonly lease_owner?: string;
  /** Which of that process's calls. */
  readonly lease_call?: number;
  readonly last_status_code: number | null;
  readonly created_at: number;
  /** The newest, oldest first; absent before the first. */
  readonly attempts?: readonly AttemptFields[];
}

/** A delivery that is settled may be deleted by the retention. */
export const SETTLED: readonly DeliveryStatus[] = ['succeeded', 'failed', 'held'];
/** A delivery that has not succeeded is looked for by its status. */
export const UNFINISHED: readonly DeliveryStatus[] = ['pending', 'failed', 'held'];

/** Name of the index that the feed is read from. */
export const FEED_INDEX = 'feed';
/** Name of the index that gives each place of a tenant to one endpoint. */
export const SLOT_INDEX = 'by_slot';

const text = { type: String, required: true };
/** May be empty, which mongoose takes for missing where a text is required. */
const free = { type: String };
const whole = { type: Number, required: true };
const nullableText = { type: String, default: null };
const nullableWhole = { type: Number, default: null };

const circuitSchema = new Schema({ open_until: whole, cooldown_ms: whole }, { _id: false });
const endpointSchema = new Schema({
  _id: text,
  tenant_id: text,
  slot: Number,
  url: text,
  event_types: { type: [String], required: true },
  description: free,
  filter: text,
  headers: text,
  metadata: text,
  rate_limit: nullableWhole,
  payload: String,
  status: text,
  disabled_reason: nullableText,
  paused_at: nullableWhole,
  disabling_to_tell: nullableWhole,
  circuit: { type: circuitSchema, default: null },
  slowed_until: nullableWhole,
  secret: free,
  former_secret: nullableText,
  former_secret_until: nullableWhole,
  failing_since: nullableWhole,
  created_at: whole,
  updated_at: whole,
  version: whole,
  sweep: String,
});
endpointSchema.index({ tenant_id: 1, slot: 1 }, { name: SLOT_INDEX, unique: true, partialFilterExpression: { slot: { $exists: true } } });
endpointSchema.index({ sweep: 1, _id: 1 }, { name: 'to_sweep', partialFilterExpression: { sweep: { $exists: true } } });
endpointSchema.index({ disabling_to_tell: 1 }, { name: 'untold', partialFilterExpression: { disabling_to_tell: { $gt: 0 } } });
endpointSchema.index({ paused_at: 1 }, { name: 'paused', partialFilterExpression: { paused_at: { $gt: 0 } } });

const plannedSchema = new Schema({ endpoint_id: text, delivery_id: text, status: text, next_attempt_at: nullableWhole }, { _id: false });
const eventSchema = new Schema({
  _id: text,
  tenant_id: text,
  event_id: text,
  parcel: String,
  event_seq: Number,
  type: text,
  po_number: nullableText,
  body: text,
  traceparent: String,
  occurred_at: whole,
  created_at: whole,
  fed_at: whole,
  planned: { type: [plannedSchema], required: true },
});
// A parcel's key starts with its tenant.
eventSchema.index(
  { parcel: 1, event_seq: -1 },
  { name: 'by_sequence', unique: true, partialFilterExpression: { parcel: { $exists: true } } },
);
eventSchema.index({ tenant_id: 1, occurred_at: 1, event_id: 1 }, { name: 'by_time' });
eventSchema.index({ tenant_id: 1, fed_at: 1, event_id: 1 }, { name: FEED_INDEX });
eventSchema.index({ created_at: 1, _id: 1 }, { name: 'by_age' });

const sequenceSchema = new Schema({ _id: text, last: whole, updated_at: whole });
sequenceSchema.index({ updated_at: 1 }, { name: 'by_age' });

const attemptSchema = new Schema(
  {
    attempt_id: text,
    url: free,
    started_at: whole,
    duration_ms: whole,
    outcome: text,
    status_code: nullableWhole,
    error: nullableText,
    error_code: nullableText,
    retry_after: nullableText,
    response_body: nullableText,
  },
  { _id: false },
);
const deliverySchema = new Schema({
  _id: text,
  tenant_id: text,
  delivery_id: text,
  endpoint_id: text,
  event_id: text,
  event_type: text,
  po_number: nullableText,
  status: text,
  attempt_count: whole,
  step: whole,
  test: Boolean,
  next_attempt_at: nullableWhole,
  next_reason: nullableText,
  available_at: Number,
  lease_owner: String,
  lease_call: Number,
  last_status_code: nullableWhole,
  created_at: whole,
  attempts: { type: [attemptSchema], default: undefined },
});
// Ids of deliveries rise with time: this is the order of the list as well.
deliverySchema.index({ tenant_id: 1, endpoint_id: 1, delivery_id: 1 }, { name: 'by_endpoint', unique: true });
deliverySchema.index(
  { tenant_id: 1, endpoint_id: 1, status: 1, delivery_id: 1 },
  { name: 'unfinished', partialFilterExpression: { status: { $in: UNFINISHED } } },
);
// The id is in it so that the senders find what is due without reading a document.
deliverySchema.index(
  { endpoint_id: 1, available_at: 1, _id: 1 },
  { name: 'queue', partialFilterExpression: { available_at: { $exists: true } } },
);
// Holds what is being sent, and nothing else: see mongo-lease.
deliverySchema.index({ available_at: 1 }, { name: 'leased', partialFilterExpression: { lease_owner: { $exists: true } } });
deliverySchema.index({ created_at: 1 }, { name: 'settled_by_age', partialFilterExpression: { status: { $in: SETTLED } } });

/** The receivers. */
export const endpoints = defineCollection<EndpointDocument>('endpoints', endpointSchema);

/** The events; one to a tenant and event id by its id, one to a parcel and number by index. */
export const events = defineCollection<EventDocument>('events', eventSchema);

/** The numbers of parcels that outlive their events. */
export const sequences = defineCollection<SequenceDocument>('sequences', sequenceSchema);

/** The deliveries; one to a tenant, event and endpoint by its id. */
export const deliveries = defineCollection<DeliveryDocument>('deliveries', deliverySchema);

/** Every collection of the service. */
export const webhookCollections: readonly MongoCollection<unknown>[] = [endpoints, events, sequences, deliveries, idempotencyKeys];
