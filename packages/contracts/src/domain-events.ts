import Type, { type Static } from 'typebox';
import { adminStatuses } from './admin-status.ts';
import { forecastStatusMeanings } from './forecast-status.ts';
import { ForecastImagesChanged } from './own-image-events.ts';
import { exceptionReasons, imageTypes } from './parcel-reports.ts';
import { ForecastExpired, ForecastFilesExpired, fileTokens, TenantRetentionChanged } from './retention-events.ts';
import { instant, nullable, oneOf } from './text.ts';
import { type Topic, topics } from './topics.ts';

/*
 * Events between the services. The data of every event carries the forecast it belongs to; tenant and
 * environment are attributes of the envelope (see cloud-event.ts).
 */

const forecast = { forecast_no: Type.String(), po_number: Type.String() };
const status = Type.Integer({ minimum: 1, maximum: 7, description: `Status of the forecast: ${forecastStatusMeanings}` });

/** An item as the events carry it: valid when it was accepted, so its limits are not checked again. */
const item = Type.Object({
  sku_code: Type.String(),
  barcode: Type.Optional(Type.String()),
  product_name_en: Type.String(),
  product_name_cn: Type.Optional(Type.String()),
  product_image: Type.Optional(Type.String()),
  forecast_quantity: Type.Integer(),
  forecast_price: Type.Optional(Type.Number()),
  hs_code: Type.Optional(Type.String()),
  tracking_number: Type.Optional(Type.String({ description: 'Normalised' })),
  declared_weight_kg: Type.Optional(Type.Number({ description: 'Of one piece' })),
  declared_length_cm: Type.Optional(Type.Number({ description: 'Of one piece' })),
  declared_width_cm: Type.Optional(Type.Number({ description: 'Of one piece' })),
  declared_height_cm: Type.Optional(Type.Number({ description: 'Of one piece' })),
});

/** Bytes of JSON up to which the items of a forecast travel with its events. A consumer reads larger ones from the forecast service. */
export const MAX_ITEMS_IN_EVENT_BYTES = 262_144;

/** `data` of the internal route that such a consumer calls, and whoever draws the documents of a forecast. */
export const ForecastContent = Type.Object({
  forecast_id: Type.Integer(),
  po_number: Type.String(),
  warehouse_code: Type.String(),
  version: Type.Integer({ minimum: 1, description: 'The current one, which may be newer than the one that the caller knows' }),
  versioned_at: instant('Acceptance, or the correction that made the version'),
  due_date: nullable(Type.String()),
  carton_count: nullable(Type.Integer()),
  items: Type.Array(item),
});
export type ForecastContent = Static<typeof ForecastContent>;

/** What a forecast is to contain. */
const content = {
  version: Type.Integer({ minimum: 1, description: 'Begins at 1 and rises with each correction' }),
  due_date: nullable(Type.String()),
  shipping_label: nullable(Type.String()),
  shipping_note: nullable(Type.String()),
  carton_count: nullable(Type.Integer()),
  item_count: Type.Integer(),
  items: nullable(
    Type.Array(item, {
      description: `null when their JSON is larger than ${MAX_ITEMS_IN_EVENT_BYTES} bytes: read them from the forecast service`,
    }),
  ),
};

const accepted = {
  ...forecast,
  forecast_id: Type.Integer(),
  forecast_type: Type.Integer({ minimum: 1, maximum: 2 }),
  warehouse_code: Type.String(),
  tracking_numbers: Type.Array(Type.String(), { description: 'Normalised, without repeats' }),
  accepted_at: instant('Acceptance'),
};
const ForecastAccepted = Type.Object({ ...accepted, ...content });
const ForecastCorrected = Type.Object({
  ...accepted,
  ...content,
  version: Type.Integer({ minimum: 2, description: 'Of the corrected forecast' }),
  status,
  changed: Type.Array(Type.String(), { description: 'JSON paths of the corrected fields, at most 100' }),
  previous_warehouse_code: Type.String({ description: 'Warehouse before the correction' }),
  corrected_at: instant('Correction'),
});
const ForecastCancelled = Type.Object({ ...forecast, cancelled_at: instant('Cancellation') });
const ForecastReportRefused = Type.Object({
  ...forecast,
  warehouse_code: Type.String({ description: 'Warehouse of the report' }),
  event_id: Type.String({ description: "The warehouse's id of the report" }),
  cancelled_at: instant('Cancellation'),
  photos: fileTokens('Tokens of the photos of the report, without those that other reports of the forecast have as well'),
});
/** See sealShipmentDetails; absent when no details were reported. */
const sealedDetails = Type.Optional(Type.String({ description: 'Details of the shipment, sealed' }));
const ForecastDispatched = Type.Object({
  ...forecast,
  status,
  carrier_code: Type.String(),
  tracking_number: Type.String({ description: 'Normalised' }),
  dispatched_at: instant('Dispatch'),
  sealed_details: sealedDetails,
});
const ParcelWeighed = Type.Object({ ...forecast, status, weighed_at: instant('Weighing') });

const photo = Type.Object({
  id: Type.Integer(),
  image_path: Type.String(),
  image_url: Type.String(),
  file_size: Type.Integer(),
  upload_time: instant('Upload of the photo'),
});
const fromWarehouse = {
  event_id: Type.String({ description: "The warehouse's id of the event" }),
  forecast_no: Type.String(),
  warehouse_code: Type.String(),
  express_no: nullable(Type.String({ description: 'As scanned' })),
  occurred_at: instant('When it happened in the warehouse'),
  matched: Type.Optional(
    Type.Literal(true, { description: 'The platform found the forecast by the scanned number: once cancelled, it refuses the report' }),
  ),
};
const receivedItems = Type.Array(Type.Object({ sku_code: Type.String(), quantity: Type.Integer() }), {
  description: 'Pieces that the warehouse counted, one entry for each SKU',
});
const WarehouseArrived = Type.Object({ ...fromWarehouse, received_items: Type.Optional(receivedItems) });
const WarehouseWeighed = Type.Object({
  ...fromWarehouse,
  length_cm: Type.Number(),
  width_cm: Type.Number(),
  height_cm: Type.Number(),
  weight_kg: Type.Number(),
  photos: Type.Array(photo),
});
const WarehousePhotographed = Type.Object({
  ...fromWarehouse,
  photo,
  image_type: oneOf(imageTypes, 'What the image shows'),
  image_order: Type.Integer(),
});
const WarehouseDispatched = Type.Object({
  ...fromWarehouse,
  carrier_code: Type.String(),
  tracking_number: Type.String({ description: 'Normalised' }),
  sealed_details: sealedDetails,
});

const exception = {
  reason: oneOf(exceptionReasons, 'What is wrong with the parcel'),
  text: nullable(Type.String({ description: "The warehouse's own words" })),
};
const WarehouseException = Type.Object({ ...fromWarehouse, ...exception, photos: Type.Array(photo) });
const WarehouseHeld = Type.Object({ ...fromWarehouse, reason: nullable(Type.String({ description: "The warehouse's own words" })) });
const WarehouseReleased = Type.Object(fromWarehouse);

/** A report of the warehouse, as the forecast recorded it. */
const progressed = { ...forecast, status, warehouse_code: Type.String(), occurred_at: instant('When it happened in the warehouse') };
const ParcelProgressed = Type.Object(progressed);
const ParcelPhotographed = Type.Object({
  ...progressed,
  image_type: oneOf(imageTypes, 'What the image shows'),
  image_order: Type.Integer(),
  image_url: Type.String(),
});
const ParcelPutAway = Type.Object({ ...progressed, received_items: Type.Optional(receivedItems) });
const ParcelCompleted = Type.Object({
  ...forecast,
  status,
  reason: oneOf(['put_away', 'tracking_ended'], 'What completed the forecast'),
  completed_at: instant('When the platform recorded it'),
});
const ParcelException = Type.Object({ ...progressed, ...exception, photos: Type.Array(photo) });

/** Holds named in one event. */
export const MAX_HOLDS_IN_EVENT = 20;

/** What holds of the forecast after a hold or a release: reports may come late, so the last one does not say it. */
const holding = {
  hold_reports: Type.Integer({
    minimum: 1,
    description: 'Holds and releases reported so far: of two events the one with more is the later',
  }),
  on_hold: Type.Boolean({ description: 'A hold of the forecast is not released' }),
  holds: Type.Array(
    Type.Object({
      reason: nullable(Type.String()),
      held_at: instant('When the hold began in the warehouse'),
      released_at: nullable(instant('When the warehouse released it')),
    }),
    { description: `Holds of the forecast, latest first, at most ${MAX_HOLDS_IN_EVENT}` },
  ),
};
const ParcelHeld = Type.Object({ ...progressed, reason: nullable(Type.String()), ...holding });
const ParcelReleased = Type.Object({ ...progressed, ...holding });
const TrackingChanged = Type.Object({
  ...forecast,
  previous_admin_status: Type.String({ description: 'Empty when there was none' }),
  admin_status: oneOf(adminStatuses, 'Of the newest node'),
  tracking_number: Type.String({ description: 'Of the parcel, normalised' }),
  is_terminal: Type.Boolean(),
  changed_at: instant('When the platform saw the change'),
});

/** A warehouse of the operator. `version` rises with every change, so that of two events the later one is known. */
const warehouse = {
  warehouse_code: Type.String(),
  version: Type.Integer({ minimum: 1, description: 'Begins at 1 and rises with each change' }),
};
const WarehouseOpened = Type.Object({ ...warehouse, name: Type.String(), opened_at: instant('When it was added') });
const WarehouseRenamed = Type.Object({ ...warehouse, name: Type.String(), renamed_at: instant('Change of the name') });
const WarehouseClosed = Type.Object({ ...warehouse, closed_at: instant('Time from which no forecast may name it') });
const TenantSuspended = Type.Object({ tenant_id: Type.String(), suspended_at: instant('Suspension') });
const KeyRevoked = Type.Object({ key_id: Type.String(), revoked_at: instant('Revocation') });

/* Event type → data schema, by who publishes it and so by the topic on which it travels. */
const ofForecast = {
  'forecast.accepted': ForecastAccepted,
  'forecast.corrected': ForecastCorrected,
  'forecast.cancelled': ForecastCancelled,
  'forecast.report_refused': ForecastReportRefused,
  'forecast.images_changed': ForecastImagesChanged,
  'forecast.dispatched': ForecastDispatched,
  'forecast.expired': ForecastExpired,
  'forecast.files_expired': ForecastFilesExpired,
  'parcel.arrived': ParcelProgressed,
  'parcel.weighed': ParcelWeighed,
  'parcel.photographed': ParcelPhotographed,
  'parcel.processed': ParcelProgressed,
  'parcel.put_away': ParcelPutAway,
  'parcel.completed': ParcelCompleted,
  'parcel.exception': ParcelException,
  'parcel.held': ParcelHeld,
  'parcel.released': ParcelReleased,
};
const ofWarehouse = {
  'warehouse.arrived': WarehouseArrived,
  'warehouse.weighed': WarehouseWeighed,
  'warehouse.photographed': WarehousePhotographed,
  'warehouse.processed': WarehouseArrived,
  'warehouse.put-away': WarehouseArrived,
  'warehouse.dispatched': WarehouseDispatched,
  'warehouse.exception': WarehouseException,
  'warehouse.held': WarehouseHeld,
  'warehouse.released': WarehouseReleased,
};
const ofTracking = { 'tracking.changed': TrackingChanged };
const ofGateway = {
  'key.revoked': KeyRevoked,
  'warehouse.opened': WarehouseOpened,
  'warehouse.renamed': WarehouseRenamed,
  'warehouse.closed': WarehouseClosed,
  'tenant.retention-changed': TenantRetentionChanged,
  'tenant.suspended': TenantSuspended,
};

/** Event type → data schema. */
export const domainEventSchemas = { ...ofForecast, ...ofWarehouse, ...ofTracking, ...ofGateway } as const;

/** Type of a domain event. */
export type DomainEventType = keyof typeof domainEventSchemas;

/** Data of an event of type `T`. */
export type DomainEventData<T extends DomainEventType> = Static<(typeof domainEventSchemas)[T]>;

/** A photo as the events carry it. */
export type EventPhoto = Static<typeof photo>;

/** Every event type. */
export const domainEventTypes = Object.keys(domainEventSchemas) as DomainEventType[];

const on = (topic: Topic, schemas: object) => Object.fromEntries(Object.keys(schemas).map((type) => [type, topic]));

/** Topic on which an event type travels. */
export const topicOf = {
  ...on(topics.forecast, ofForecast),
  ...on(topics.warehouse, ofWarehouse),
  ...on(topics.tracking, ofTracking),
  ...on(topics.gateway, ofGateway),
} as Readonly<Record<DomainEventType, Topic>>;
