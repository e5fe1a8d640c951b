import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import { defineCollection } from '@parcelway/mongo/mongo-collection';
import { byId, byTenant } from '@parcelway/mongo/mongo-sharding';
import { Schema } from 'mongoose';
import { nullableText, nullableWhole, text, whole } from '../../endpoints/adapters/mongo-access.ts';
import type { EventOrigin } from '../domain/delivery.ts';
import type { EventStream } from '../domain/event-stream.ts';
import type { PlannedDelivery } from '../domain/plan-delivery.ts';

/** What was planned for an endpoint when its event came. */
export interface PlannedFields {
  readonly endpoint_id: string;
  readonly delivery_id: string;
  readonly status: PlannedDelivery['status'];
  readonly next_attempt_at: number | null;
}

/** An event, with the deliveries that must exist because of it. */
export interface EventDocument {
  /** See {@link eventKey}. */
  readonly _id: string;
  readonly tenant_id: string;
  readonly event_id: string;
  /** See {@link parcelKey}. Absent, as the number, when it belongs to no parcel. */
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
  readonly fed_at: number;
  readonly planned: readonly PlannedFields[];
}

/** `fed_at` of what is not in the feed. */
export const NOT_FED = 0;

/**
 * Where the range of `fed_at` begins that a stream has: behind every instant of the stream before, so that one index holds the streams
 * apart.
 */
export const STREAM_BEGINS: Readonly<Record<EventStream, number>> = { standard: 0, opt_in: 1_000_000_000_000_000 };

/** The highest number of a parcel whose events have been deleted by the retention. */
export interface SequenceDocument {
  /** See {@link parcelKey}. */
  readonly _id: string;
  readonly last: number;
  /** When the youngest deleted event was made. */
  readonly updated_at: number;
}

export const FEED_INDEX = 'feed';

export const PARCEL_FEED_INDEX = 'feed_of_parcel';

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
eventSchema.index(
  { tenant_id: 1, parcel: 1, event_seq: 1 },
  { name: 'number_of_parcel', unique: true, partialFilterExpression: { parcel: { $exists: true } } },
);
// A parcel's key starts with its tenant. The server jumps in this index from parcel to parcel: see mongo-sequences.
eventSchema.index({ parcel: 1, event_seq: -1 }, { name: 'last_of_parcel', partialFilterExpression: { parcel: { $exists: true } } });
eventSchema.index({ tenant_id: 1, occurred_at: 1, event_id: 1 }, { name: 'by_time' });
eventSchema.index({ tenant_id: 1, fed_at: 1, event_id: 1 }, { name: FEED_INDEX });
eventSchema.index(
  { tenant_id: 1, po_number: 1, fed_at: 1, event_id: 1 },
  { name: PARCEL_FEED_INDEX, partialFilterExpression: { po_number: { $gt: '' } } },
);
eventSchema.index({ created_at: 1, _id: 1 }, { name: 'by_age' });

const sequenceSchema = new Schema({ _id: text, last: whole, updated_at: whole });
sequenceSchema.index({ updated_at: 1 }, { name: 'by_age' });

/** The events; one to a tenant and event id by its id, one to a parcel and number by index. */
export const events = defineCollection<EventDocument>('events', eventSchema, { sharding: byTenant });

/** The numbers of parcels that outlive their events. */
export const sequences = defineCollection<SequenceDocument>('sequences', sequenceSchema, { sharding: byId });

/** `_id` of an event. Ids of tenants and endpoints hold no blank, so the parts cannot run into each other. */
export function eventKey(tenantId: string, eventId: string): string {
  return `${tenantId} ${eventId}`;
}

/** Name of a parcel over all tenants, in one of the streams: each numbers its events by itself. */
export function parcelKey(tenantId: string, forecastNo: string, stream: EventStream): string {
  return stream === 'standard' ? `${tenantId} ${forecastNo}` : `${tenantId} ${forecastNo} ${stream}`;
}

/** True for an event that was made on demand, for one endpoint. */
export function isTestEvent({ fed_at }: Pick<EventDocument, 'fed_at'>): boolean {
  return fed_at === NOT_FED;
}

/** Where the event of a document comes from. */
export function originOf({ occurred_at, traceparent }: Pick<EventDocument, 'occurred_at' | 'traceparent'>): EventOrigin {
  return { occurredAt: occurred_at, traceparent: traceparent ?? null };
}
