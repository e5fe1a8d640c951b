import Type, { type Static } from 'typebox';
import { adminStatuses } from './admin-status.ts';
import { imageTypes } from './forecast-api.ts';
import { forecastStatusMeanings } from './forecast-status.ts';
import { instant, nullable, oneOf } from './text.ts';
import { type Topic, topics } from './topics.ts';

/*
 * What the services tell each other. The data of every event carries the forecast it belongs to; tenant and
 * environment are attributes of the envelope (see cloud-event.ts).
 */

const forecast = { forecast_no: Type.String(), po_number: Type.String() };

const ForecastAccepted = Type.Object({
  ...forecast,
  forecast_id: Type.Integer(),
  forecast_type: Type.Integer({ minimum: 1, maximum: 2 }),
  warehouse_code: Type.String(),
  tracking_numbers: Type.Array(Type.String(), { description: 'Normalised, without repeats' }),
  accepted_at: instant('Acceptance'),
});
const ForecastCancelled = Type.Object({ ...forecast, cancelled_at: instant('Cancellation') });
const ForecastDispatched = Type.Object({
  ...forecast,
  carrier_code: Type.String(),
  tracking_number: Type.String({ description: 'Normalised' }),
  dispatched_at: instant('Dispatch'),
});
const ParcelWeighed = Type.Object({
  ...forecast,
  status: Type.Integer({ minimum: 1, maximum: 7, description: `Status of the forecast: ${forecastStatusMeanings}` }),
  weighed_at: instant('Weighing'),
});

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
};
const WarehouseArrived = Type.Object(fromWarehouse);
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
});

const TrackingChanged = Type.Object({
  ...forecast,
  previous_admin_status: Type.String({ description: 'Empty when there was none' }),
  admin_status: oneOf(adminStatuses, 'Of the newest node'),
  is_terminal: Type.Boolean(),
  changed_at: instant('When the platform saw the change'),
});

const KeyRevoked = Type.Object({ key_id: Type.String(), revoked_at: instant('Revocation') });

/** Event type → data schema. */
export const domainEventSchemas = {
  'forecast.accepted': ForecastAccepted,
  'forecast.cancelled': ForecastCancelled,
  'forecast.dispatched': ForecastDispatched,
  'parcel.weighed': ParcelWeighed,
  'warehouse.arrived': WarehouseArrived,
  'warehouse.weighed': WarehouseWeighed,
  'warehouse.photographed': WarehousePhotographed,
  'warehouse.processed': WarehouseArrived,
  'warehouse.put-away': WarehouseArrived,
  'warehouse.dispatched': WarehouseDispatched,
  'tracking.changed': TrackingChanged,
  'key.revoked': KeyRevoked,
} as const;

/** Type of a domain event. */
export type DomainEventType = keyof typeof domainEventSchemas;

/** Data of an event of type `T`. */
export type DomainEventData<T extends DomainEventType> = Static<(typeof domainEventSchemas)[T]>;

/** A photo as the events carry it. */
export type EventPhoto = Static<typeof photo>;

/** Every event type. */
export const domainEventTypes = Object.keys(domainEventSchemas) as DomainEventType[];

/** Topic on which an event type travels; decided by who publishes it. */
export const topicOf: Readonly<Record<DomainEventType, Topic>> = {
  'forecast.accepted': topics.forecast,
  'forecast.cancelled': topics.forecast,
  'forecast.dispatched': topics.forecast,
  'parcel.weighed': topics.forecast,
  'warehouse.arrived': topics.warehouse,
  'warehouse.weighed': topics.warehouse,
  'warehouse.photographed': topics.warehouse,
  'warehouse.processed': topics.warehouse,
  'warehouse.put-away': topics.warehouse,
  'warehouse.dispatched': topics.warehouse,
  'tracking.changed': topics.tracking,
  'key.revoked': topics.gateway,
};
