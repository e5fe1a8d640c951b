import { collection } from '@parcelway/store/collection';
import Type from 'typebox';
import { REJECTIONS_KEPT_MS } from './domain/event-outcome.ts';

const text = Type.String();
const optionalText = Type.Optional(text);
const optionalFlag = Type.Optional(Type.Boolean());
const closed = { additionalProperties: false } as const;
const ofNobody = { none: 'a warehouse’s own; what was applied to a forecast goes with its tenant' } as const;

export const events = collection(
  'events',
  Type.Object(
    {
      warehouseCode: text,
      eventId: text,
      /** Rises with the time of storing. Also the id of the domain event that it becomes at once. */
      id: text,
      occurredAt: Type.Integer(),
      receivedAt: Type.Integer(),
      /** As domain/event storedText writes it: read and compared as a whole. */
      event: text,
      /** The kind that it is found by once it is applied (domain/parcel-reports). Absent when it says nothing but the status. */
      kind: optionalText,
      /** Why it has no forecast yet. Absent once it is published. */
      waiting: optionalText,
      /** While it waits, the number that it is matched by: the forecast it names … */
      namedNo: optionalText,
      /** … or else, normalised, the number scanned from the parcel. */
      scannedNo: optionalText,
      /** The resolution that ends its waiting. */
      resolution: optionalText,
      /** Number of the forecast that it was published for. */
      publishedTo: optionalText,
      /** It says whose parcel its scanned number is on: the first under it for this forecast, or one that names it among several. */
      claimsNumber: optionalFlag,
      /** It was published and ended the parcel's stay in the warehouse. */
      endsStay: optionalFlag,
      /**
       * Since when a step remains that could not be part of the last write: of a waiting event the second look into the directory, of a published one what
       * it changes there.
       */
      unfinishedSince: Type.Optional(Type.Integer()),
    },
    closed,
  ),
  {
    describe: 'Reports of warehouses, and those that wait for their forecast',
    key: ['warehouseCode', 'eventId'],
    lists: {
      scanned: ['warehouseCode', 'scannedNo', 'occurredAt', 'id'],
      reason_at: ['warehouseCode', 'waiting', 'receivedAt', 'id'],
      resolved: ['warehouseCode', 'resolution'],
      applied: ['warehouseCode', 'kind', 'publishedTo', '-occurredAt', '-id'],
      // Without the warehouse from here on. A forecast meets the events that name it, whichever warehouse reported them.
      named: ['namedNo', 'occurredAt', 'id'],
      // The platform's own: the list of what waits, the end of the keeping, what a crash left unfinished, and what goes with a forecast.
      reason: ['waiting', 'receivedAt', 'id'],
      received: ['receivedAt'],
      unfinished: ['unfinishedSince'],
      forecast: ['publishedTo', 'id'],
    },
    hasMessages: true,
    tenant: ofNobody,
    shard: 'warehouseCode',
    ends: '`INTAKE_RETENTION_DAYS` after it was received; with its forecast',
  },
);

export type EventDocument = NonNullable<(typeof events)['document']>;

export const resolutions = collection(
  'resolutions',
  Type.Object(
    {
      warehouseCode: text,
      /** Rises with the time. */
      id: text,
      /** The event that was named, and the number under which it waited. */
      eventId: text,
      kind: Type.Union([Type.Literal('scanned'), Type.Literal('named')]),
      number: text,
      action: Type.Union([Type.Literal('claim'), Type.Literal('dismiss')]),
      /** Of a claim. */
      forecastNo: optionalText,
      /** Of a dismissal. */
      reason: optionalText,
      resolvedAt: Type.Integer(),
      resolvedBy: text,
      /** Kind and number until it is done: one of a number at a time. */
      open: optionalText,
      openSince: Type.Optional(Type.Integer()),
      /** Its id once it is done. */
      done: optionalText,
      /** How many events it has ended the waiting of. */
      events: Type.Optional(Type.Integer()),
    },
    closed,
  ),
  {
    describe: 'Claims and dismissals of events that waited, with who made them',
    key: ['warehouseCode', 'id'],
    unique: { open: ['warehouseCode', 'open'] },
    lists: {
      done_at: ['warehouseCode', '-done'],
      done: ['-done'],
      unfinished: ['openSince'],
      age: ['resolvedAt'],
      forecast: ['forecastNo'],
    },
    tenant: ofNobody,
    shard: 'warehouseCode',
    ends: '`INTAKE_RETENTION_DAYS` after it was made; with its forecast',
  },
);

export type ResolutionDocument = NonNullable<(typeof resolutions)['document']>;

/** Rejected reports of a warehouse, in a ring. */
export const rejections = collection(
  'rejections',
  Type.Object(
    {
      warehouseCode: text,
      /** Its number modulo the most that are kept; of the count, -1. */
      slot: Type.Integer(),
      eventId: optionalText,
      /** Rises from one to the next at the warehouse; of the count, the last one. */
      number: Type.Integer(),
      at: Type.Optional(Type.Integer()),
      /** Rejection as JSON. */
      rejection: optionalText,
    },
    closed,
  ),
  {
    describe: 'The newest rejected reports of a warehouse',
    key: ['warehouseCode', 'slot'],
    lists: { event: ['warehouseCode', 'eventId', '-number'], age: ['at'] },
    tenant: { none: 'a warehouse’s own' },
    shard: 'warehouseCode',
    ends: [{ by: 'age', keptMs: REJECTIONS_KEPT_MS }],
  },
);
