import Type, { type Static } from 'typebox';
import { object } from './object.ts';
import { exceptionReasons, imageTypes } from './parcel-reports.ts';
import { shipmentDetailFields } from './shipment-details.ts';
import {
  CODE_PATTERN,
  EVENT_ID_PATTERN,
  INTEGER_TO_1000_PATTERN,
  identifier,
  instant,
  integerInQuery,
  logisticsNumber,
  nullable,
  oneOf,
  text,
  warehouseCode,
} from './text.ts';
import { queryWarnings } from './warnings.ts';

/** A warehouse in use. */
export const Warehouse = object('Warehouse', { code: Type.String(), name: Type.String() });
export type Warehouse = Static<typeof Warehouse>;

/** `data` of the list of warehouses. */
export const WarehouseList = object('WarehouseList', { warehouses: Type.Array(Warehouse), warnings: queryWarnings });

/** At most this many events in one call. */
export const MAX_EVENTS_PER_CALL = 500;

/** What a warehouse reports. */
export const warehouseEventTypes = [
  'arrival',
  'weighing',
  'photo',
  'processing',
  'put_away',
  'dispatch',
  'exception',
  'hold',
  'release',
] as const;
export type WarehouseEventType = (typeof warehouseEventTypes)[number];

const common = {
  event_id: Type.String({
    maxLength: 128,
    pattern: EVENT_ID_PATTERN,
    description: "The warehouse's id of the event; sent again, it has no second effect",
  }),
  occurred_at: instant('When it happened'),
  warehouse_code: warehouseCode('The reporting warehouse; the one of the key'),
  forecast_no: Type.Optional(text(1, 64, 'Forecast number; this or express_no')),
  express_no: Type.Optional(logisticsNumber('Number scanned from the parcel; this or forecast_no')),
};
const eitherNumber = { anyOf: [{ required: ['forecast_no'] }, { required: ['express_no'] }] };
const centimetres = (name: string) => Type.Number({ exclusiveMinimum: 0, maximum: 10000, description: `${name} in cm` });
const photoId = Type.String({ minLength: 1, maxLength: 1024, description: 'photo_id of the photo upload' });

/** Pieces of one SKU that the warehouse counted. */
export const ReceivedQuantity = object('ReceivedQuantity', {
  sku_code: identifier(1, 100, 'As in the forecast; a SKU that is not in the forecast is stored too'),
  quantity: Type.Integer({ minimum: 0, maximum: 500000, description: 'Pieces received' }),
});
/** A count of what was received. None at all is no count: clients that generators make send an empty list where nothing was said. */
export const receivedQuantities = (description: string) =>
  Type.Array(ReceivedQuantity, {
    maxItems: 2000,
    description: `${description}. A SKU that is left out counts as none; entries of one SKU are added. An empty list is no count`,
  });
const counted = { received_items: Type.Optional(receivedQuantities('The whole count of what was received')) };

/** An event of a type. @param name of the schema */
const eventOf = <T extends WarehouseEventType, P extends Type.TProperties>(name: string, type: T, fields: P) =>
  Type.Object({ ...common, type: Type.Literal(type), ...fields }, { $id: name, ...eitherNumber });

/** Place of an image among others. A component of its own: generators take a field with a default for required, but not a reference to one. */
export const imageOrder = Type.Integer({ $id: 'ImageOrder', minimum: 0, maximum: 100000, default: 0, description: 'Sort order' });

/** What every event has, whatever its type: by this an event of an unknown type is checked. */
export const CommonEvent = Type.Object(common, eitherNumber);

/** Event type → schema; the `type` field chooses. */
export const warehouseEventSchemas = {
  /** The parcel has reached the warehouse. */
  arrival: eventOf('ArrivalEvent', 'arrival', counted),
  /** The parcel has been measured. */
  weighing: eventOf('WeighingEvent', 'weighing', {
    length_cm: centimetres('Length'),
    width_cm: centimetres('Width'),
    height_cm: centimetres('Height'),
    weight_kg: Type.Number({ exclusiveMinimum: 0, maximum: 100000, description: 'Weight in kg' }),
    photo_ids: Type.Optional(Type.Array(photoId, { maxItems: 50, description: 'Photos taken at the weigher' })),
  }),
  /** A photo of the parcel or its content. */
  photo: eventOf('PhotoEvent', 'photo', {
    photo_id: photoId,
    image_type: oneOf(imageTypes, 'What the image shows'),
    image_order: Type.Optional(imageOrder),
  }),
  /** Work on the parcel has begun. */
  processing: eventOf('ProcessingEvent', 'processing', counted),
  /** Goods of a replenishment forecast are on the shelf. */
  put_away: eventOf('PutAwayEvent', 'put_away', counted),
  /** The parcel has been handed to a carrier. */
  dispatch: eventOf('DispatchEvent', 'dispatch', {
    carrier_code: Type.String({ minLength: 1, maxLength: 64, pattern: CODE_PATTERN, description: 'Carrier' }),
    tracking_number: logisticsNumber("The carrier's number"),
    ...shipmentDetailFields,
  }),
  /** Something is wrong with the parcel. */
  exception: eventOf('ExceptionEvent', 'exception', {
    reason: oneOf(exceptionReasons, 'What is wrong'),
    text: Type.Optional(text(0, 1000, 'In your own words, for the merchant')),
    photo_ids: Type.Optional(Type.Array(photoId, { maxItems: 50, description: 'Photos that show it' })),
  }),
  /** The parcel stays where it is until it is released. */
  hold: eventOf('HoldEvent', 'hold', { reason: Type.Optional(text(0, 500, 'In your own words, for the merchant')) }),
  /** Every hold of the parcel has ended. */
  release: eventOf('ReleaseEvent', 'release', {}),
} as const satisfies Record<WarehouseEventType, unknown>;

/** Any warehouse event; `type` distinguishes them. `oneOf`, as the discriminator asks for it (OpenAPI 3.1, Discriminator Object). */
export const WarehouseEvent = Type.Unsafe<Static<(typeof warehouseEventSchemas)[WarehouseEventType]>>({
  $id: 'WarehouseEvent',
  type: 'object',
  oneOf: Object.values(warehouseEventSchemas),
  discriminator: { propertyName: 'type' },
  required: ['type'],
});
export type WarehouseEvent = Static<typeof WarehouseEvent>;

/** Several events in one call. */
export const WarehouseEventBatch = object('WarehouseEventBatch', {
  events: Type.Array(WarehouseEvent, { minItems: 1, maxItems: MAX_EVENTS_PER_CALL }),
});

/** Body of a report: one event, or several. */
export const WarehouseReport = Type.Union([WarehouseEvent, WarehouseEventBatch], { $id: 'WarehouseReport' });

/** At most this many warnings in one response. */
export const MAX_INTAKE_WARNINGS = 100;

/** At most this many field errors in one response; of each rejected event at least the first. */
export const MAX_INTAKE_ERRORS = 1000;

/** Why an event was taken and still deserves a look. */
export const intakeWarningRules = [
  'ambiguous',
  'event_id_reused',
  'takes_no_dispatch',
  'on_hold',
  'implausible',
  'unknown_field',
  'no_forecast',
] as const;

const eventIndex = Type.Integer({ description: 'Position in the call, from 0' });
const readableEventId = nullable(Type.String({ description: 'As sent; null when it cannot be read' }));

/** Something about an event that was taken, or about the call. */
export const IntakeWarning = object('IntakeWarning', {
  index: Type.Optional(eventIndex),
  event_id: Type.Optional(readableEventId),
  field: Type.String({ description: 'JSON path of the field in the event, or name of the parameter of the query' }),
  rule: Type.Optional(
    oneOf(
      intakeWarningRules,
      'ambiguous: several forecasts declare the number; event_id_reused: the first event of this id stays; takes_no_dispatch: the forecast is of type 1; on_hold: a parcel that the warehouse held back was dispatched; implausible: check the number and its unit; unknown_field: ignored; no_forecast: none is known yet',
    ),
  ),
  message: Type.String(),
});
export type IntakeWarning = Static<typeof IntakeWarning>;

/** One fault of a rejected event; the same component as a fault of a refused call. */
export const FieldError = object('FieldError', {
  field: Type.String({ description: 'JSON path of the field, such as items[3].sku_code; in an import the title of its column' }),
  rule: Type.String(),
  message: Type.String(),
});

/** An event that was not taken. */
export const RejectedEvent = object('RejectedEvent', {
  index: eventIndex,
  event_id: readableEventId,
  code: Type.String(),
  message: Type.String({ description: 'Up to five faults in one text' }),
  errors: Type.Array(FieldError, { description: `Every fault; at most 100, and ${MAX_INTAKE_ERRORS} of the whole call` }),
});
export type RejectedEvent = Static<typeof RejectedEvent>;

/** `data` of the intake: what became of each event. */
export const IntakeResult = object('IntakeResult', {
  accepted: Type.Integer({ description: 'Events stored now' }),
  duplicates: Type.Integer({ description: 'Events that had been stored before' }),
  waiting: Type.Integer({ description: 'Events of the call, stored now or before, that wait for their forecast' }),
  rejected: Type.Array(RejectedEvent),
  warnings: Type.Array(IntakeWarning, {
    description: `At most ${MAX_INTAKE_WARNINGS}, and 20 of the query; empty when there is nothing to say`,
  }),
});
export type IntakeResult = Static<typeof IntakeResult>;

/** Why an event waits. */
const unclaimedReason = oneOf(
  ['no_forecast', 'warehouse_mismatch', 'ambiguous', 'takes_no_dispatch'],
  'no_forecast: none is known; warehouse_mismatch: it is meant for another warehouse; ambiguous: several declare the number; takes_no_dispatch: a dispatch of a type 1 forecast',
);

/** Query of the intake's internal list of unclaimed parcels, which the operator's API shows. */
export const UnclaimedQuery = Type.Object({
  reason: Type.Optional(unclaimedReason),
  limit: Type.Optional(integerInQuery(INTEGER_TO_1000_PATTERN, 100, '1 to 1000; default 100')),
});

/** An event of a warehouse for which there is no forecast yet. */
export const UnclaimedParcel = object('UnclaimedParcel', {
  event_id: Type.String(),
  warehouse_code: Type.String(),
  type: oneOf(warehouseEventTypes, 'What was reported'),
  express_no: nullable(Type.String({ description: 'As scanned' })),
  forecast_no: nullable(Type.String({ description: 'As the warehouse named it' })),
  reason: unclaimedReason,
  occurred_at: instant('When it happened in the warehouse'),
  received_at: instant('When the platform received it'),
});
export type UnclaimedParcel = Static<typeof UnclaimedParcel>;
