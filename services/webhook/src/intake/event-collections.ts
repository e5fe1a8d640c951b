import { nullable } from '@parcelway/contracts/text';
import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import { collection } from '@parcelway/store/collection';
import Type from 'typebox';
import type { EventOrigin } from './domain/delivery.ts';
import type { EventStream, NumberedParcel } from './domain/event-stream.ts';

const closed = { additionalProperties: false } as const;
const instant = Type.Number();

/** The stream of a test event, which is in no feed. */
export const NO_STREAM = 'test';

/** Events, each with the deliveries that must exist because of it. */
export const events = collection(
  'events',
  Type.Object(
    {
      tenantId: Type.String(),
      eventId: Type.String(),
      /** See {@link parcelName}. Absent, as the number, when it belongs to no parcel. */
      parcel: Type.Optional(Type.String()),
      seq: Type.Optional(Type.Integer()),
      type: Type.Unsafe<SentEventType>(Type.String()),
      poNumber: Type.Optional(Type.String()),
      body: Type.String(),
      traceparent: Type.Optional(Type.String()),
      occurredAt: instant,
      createdAt: instant,
      /** When it was stored, in microseconds by the clock of the feed (feed-order.ts): its place in the feed. */
      storedAt: Type.Integer(),
      stream: Type.Unsafe<EventStream | typeof NO_STREAM>(Type.String()),
      /** What was planned for endpoints when it came. */
      planned: Type.Array(
        Type.Object(
          {
            endpointId: Type.String(),
            deliveryId: Type.String(),
            status: Type.Unsafe<'pending' | 'held'>(Type.String()),
            nextAttemptAt: nullable(instant),
          },
          closed,
        ),
      ),
    },
    closed,
  ),
  {
    describe: 'Events for webhooks and for the event feed',
    // Ids rise with time: new entries come at the end of the index, on a page that is written anyway.
    key: ['eventId', 'tenantId'],
    unique: { number: ['tenantId', 'parcel', 'seq'] },
    lists: {
      feed: ['tenantId', 'stream', 'storedAt'],
      parcel: ['tenantId', 'poNumber', 'stream', 'storedAt'],
      // The platform's own work over all tenants.
      age: ['storedAt'],
    },
    tenant: 'tenantId',
    shard: 'tenantId',
    ends: '`WEBHOOK_RETENTION_DAYS`, at least 45 days, after it was stored, and with its last delivery',
    copy: {
      record: (document) => ({
        event_id: document.eventId,
        forecast_no: document.parcel === undefined ? null : parcelRecord(document.parcel).forecast_no,
        event_seq: document.seq ?? null,
        type: document.type,
        po_number: document.poNumber ?? null,
        body: JSON.parse(document.body) as unknown,
        occurred_at: document.occurredAt,
        created_at: document.createdAt,
      }),
    },
  },
);

/** An event as it is stored. */
export type EventDocument = NonNullable<(typeof events)['document']>;

/** The highest numbers of parcels whose events have been deleted by the retention. */
export const sequences = collection(
  'sequences',
  Type.Object(
    {
      tenantId: Type.String(),
      /** See {@link parcelName}. */
      parcel: Type.String(),
      last: Type.Integer(),
      /** When the youngest deleted event was made. */
      updatedAt: instant,
    },
    closed,
  ),
  {
    describe: 'The number of the last event of a parcel whose events have expired',
    key: ['tenantId', 'parcel'],
    lists: { owned: ['tenantId'], age: ['updatedAt'] },
    tenant: 'tenantId',
    shard: 'tenantId',
    // A parcel that has had no event for this long gets none any more. Events are kept for less time: theirs have expired by then.
    ends: [{ by: 'age', keptMs: 400 * 86_400_000 }],
    copy: { record: ({ parcel, last }) => ({ ...parcelRecord(parcel), last }) },
  },
);

/** Name of a parcel of a tenant, in one of the streams: each numbers its events by itself. */
export function parcelName({ forecastNo, stream }: Pick<NumberedParcel, 'forecastNo' | 'stream'>): string {
  return stream === 'standard' ? forecastNo : `${forecastNo} ${stream}`;
}

/** A parcel and its stream, from their name. */
function parcelRecord(parcel: string) {
  const [forecast_no, stream = 'standard'] = parcel.split(' ');
  return { forecast_no, stream };
}

/** Where the event of a document comes from. */
export function originOf({ occurredAt, traceparent }: Pick<EventDocument, 'occurredAt' | 'traceparent'>): EventOrigin {
  return { occurredAt, traceparent: traceparent ?? null };
}
