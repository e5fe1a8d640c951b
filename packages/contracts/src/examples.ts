import { createDomainEvent, type DomainEvent } from './cloud-event.ts';
import type { DomainEventData, DomainEventType } from './domain-events.ts';
import type { Environment } from './environment.ts';
import type { ServiceName } from './service-name.ts';
import type { WarehouseEvent, WarehouseEventType } from './warehouse-api.ts';
import type { EndpointDisabledWebhook, EndpointTestWebhook, ParcelWeighedWebhook, TrackingChangedWebhook } from './webhook-bodies.ts';

/*
 * One example of everything that travels as an event: the way of one parcel through the platform. The API documents
 * show them, and a test holds each against its schema.
 */

/** Where the platform of the examples is. A served document has its own address in this place. */
export const EXAMPLE_BASE_URL = 'https://api.example.com';

/** The parcel that all examples are about. */
export const exampleParcel = {
  environment: 'sandbox',
  tenantId: 'tnt_0193a5b0c1d27e3f8a4b5c6d7e8f9a0b',
  keyId: 'key_0193a5b0c1d27e3f8a4b5c6d7e8f9a0c',
  poNumber: 'PO-2025-1121-001',
  forecastNo: 'FC251121K7Q0Z4M2XT',
  forecastId: 1042,
  warehouseCode: 'SZ01',
  /** As it stands on the parcel, and in the form in which it is compared. */
  expressNo: 'SF 1234-5678-9012',
  trackingNumber: 'SF123456789012',
  carrierCode: 'yunexpress',
  carrierNumber: 'YT2632500123456789',
} as const;

const { environment, tenantId, keyId, poNumber, forecastNo, forecastId, warehouseCode, expressNo } = exampleParcel;
const forecast = { forecast_no: forecastNo, po_number: poNumber };

/** Photo of the parcel on the weigher, as events carry it. */
export const examplePhoto = {
  id: 5120,
  image_path: 'photo/0193a5b9c7e07a1b8c2d9e3f4a5b6c7d',
  image_url: `${EXAMPLE_BASE_URL}/photos/8Jq2mWcR5tYv1LkZ0pXnBg.jpg`,
  file_size: 183204,
  upload_time: '2025-11-24T01:14:50.000+00:00',
} as const;

const photoId = 'ph_eyJpZCI6NTEyMH0.f3Hs9aUeD7oKxQ2iT6wMzA';

const reported = { warehouse_code: warehouseCode, express_no: expressNo };

/** One report of each kind, as a warehouse sends it. */
export const warehouseEventExamples: { readonly [T in WarehouseEventType]: Extract<WarehouseEvent, { type: T }> } = {
  arrival: { event_id: 'sz01-20251124-000871', type: 'arrival', occurred_at: '2025-11-24T08:52:10+08:00', ...reported },
  weighing: {
    event_id: 'sz01-20251124-000902',
    type: 'weighing',
    occurred_at: '2025-11-24T09:15:02+08:00',
    ...reported,
    length_cm: 32.5,
    width_cm: 24,
    height_cm: 11.2,
    weight_kg: 2.415,
    photo_ids: [photoId],
  },
  photo: {
    event_id: 'sz01-20251124-000903',
    type: 'photo',
    occurred_at: '2025-11-24T09:16:20+08:00',
    ...reported,
    photo_id: photoId,
    image_type: 'package',
    image_order: 1,
  },
  processing: { event_id: 'sz01-20251124-000955', type: 'processing', occurred_at: '2025-11-24T10:40:00+08:00', ...reported },
  put_away: {
    event_id: 'sz01-20251124-000990',
    type: 'put_away',
    occurred_at: '2025-11-24T11:05:31+08:00',
    warehouse_code: warehouseCode,
    forecast_no: forecastNo,
  },
  dispatch: {
    event_id: 'sz01-20251125-000114',
    type: 'dispatch',
    occurred_at: '2025-11-25T18:30:00+08:00',
    warehouse_code: warehouseCode,
    forecast_no: forecastNo,
    carrier_code: exampleParcel.carrierCode,
    tracking_number: exampleParcel.carrierNumber,
  },
};

/** What the platform makes of a report: the warehouse's words, with the forecast that was found. */
function fromReport(type: WarehouseEventType) {
  const { event_id, warehouse_code, express_no, occurred_at } = warehouseEventExamples[type];
  return { event_id, forecast_no: forecastNo, warehouse_code, express_no: express_no ?? null, occurred_at };
}

function event<T extends DomainEventType>(type: T, publisher: ServiceName, at: string, data: DomainEventData<T>): DomainEvent<T> {
  const serial = Date.parse(at).toString(16).padStart(12, '0');
  const subject = type === 'key.revoked' ? keyId : forecastNo;
  const id = `evt_${serial}7a1b8c2d9e3f4a5b6c7d`;
  return createDomainEvent({ type, publisher, tenantId, environment, subject, time: Date.parse(at), data, id });
}

/** One domain event of each type, in its envelope. */
export const domainEventExamples: { readonly [T in DomainEventType]: DomainEvent<T> } = {
  'forecast.accepted': event('forecast.accepted', 'forecast', '2025-11-21T08:00:00.120Z', {
    ...forecast,
    forecast_id: forecastId,
    forecast_type: 2,
    warehouse_code: warehouseCode,
    tracking_numbers: [exampleParcel.trackingNumber],
    accepted_at: '2025-11-21T08:00:00.120+00:00',
  }),
  'forecast.cancelled': event('forecast.cancelled', 'forecast', '2025-11-21T09:30:00.000Z', {
    ...forecast,
    cancelled_at: '2025-11-21T09:30:00.000+00:00',
  }),
  'forecast.dispatched': event('forecast.dispatched', 'forecast', '2025-11-25T10:30:01.000Z', {
    ...forecast,
    carrier_code: exampleParcel.carrierCode,
    tracking_number: exampleParcel.carrierNumber,
    dispatched_at: '2025-11-25T18:30:00+08:00',
  }),
  'parcel.weighed': event('parcel.weighed', 'forecast', '2025-11-24T01:15:03.000Z', {
    ...forecast,
    status: 3,
    weighed_at: '2025-11-24T09:15:02+08:00',
  }),
  'warehouse.arrived': event('warehouse.arrived', 'warehouse-intake', '2025-11-24T00:52:11.000Z', fromReport('arrival')),
  'warehouse.weighed': event('warehouse.weighed', 'warehouse-intake', '2025-11-24T01:15:02.500Z', {
    ...fromReport('weighing'),
    length_cm: 32.5,
    width_cm: 24,
    height_cm: 11.2,
    weight_kg: 2.415,
    photos: [examplePhoto],
  }),
  'warehouse.photographed': event('warehouse.photographed', 'warehouse-intake', '2025-11-24T01:16:21.000Z', {
    ...fromReport('photo'),
    photo: examplePhoto,
    image_type: 'package',
    image_order: 1,
  }),
  'warehouse.processed': event('warehouse.processed', 'warehouse-intake', '2025-11-24T02:40:01.000Z', fromReport('processing')),
  'warehouse.put-away': event('warehouse.put-away', 'warehouse-intake', '2025-11-24T03:05:32.000Z', fromReport('put_away')),
  'warehouse.dispatched': event('warehouse.dispatched', 'warehouse-intake', '2025-11-25T10:30:00.500Z', {
    ...fromReport('dispatch'),
    carrier_code: exampleParcel.carrierCode,
    tracking_number: exampleParcel.carrierNumber,
  }),
  'tracking.changed': event('tracking.changed', 'tracking', '2025-11-26T04:10:00.000Z', {
    ...forecast,
    previous_admin_status: 'Picked Up',
    admin_status: 'In Transit',
    is_terminal: false,
    changed_at: '2025-11-26T04:10:00.000+00:00',
  }),
  'key.revoked': event('key.revoked', 'gateway', '2025-11-21T12:00:00.000Z', {
    key_id: keyId,
    revoked_at: '2025-11-21T12:00:00.000+00:00',
  }),
};

const thin = { environment, forecast_no: forecastNo, po_number: poNumber };

/** One body of each webhook, as a merchant receives it. */
export const webhookExamples: {
  readonly 'parcel.weighed': ParcelWeighedWebhook;
  readonly 'tracking.changed': TrackingChangedWebhook;
  readonly 'endpoint.test': EndpointTestWebhook;
  readonly 'endpoint.disabled': EndpointDisabledWebhook;
} = {
  'parcel.weighed': {
    type: 'parcel.weighed',
    timestamp: '2025-11-24T01:15:03.000+00:00',
    data: {
      event_id: domainEventExamples['parcel.weighed'].id,
      event_seq: 1,
      ...thin,
      status: 3,
      weighed_at: '2025-11-24T09:15:02+08:00',
    },
  },
  'tracking.changed': {
    type: 'tracking.changed',
    timestamp: '2025-11-26T04:10:00.000+00:00',
    data: {
      event_id: domainEventExamples['tracking.changed'].id,
      event_seq: 2,
      ...thin,
      previous_admin_status: 'Picked Up',
      admin_status: 'In Transit',
      is_terminal: false,
    },
  },
  'endpoint.test': {
    type: 'endpoint.test',
    timestamp: '2025-11-21T08:05:00.000+00:00',
    data: {
      event_id: 'evt_0193a5b4d0007a1b8c2d9e3f4a5b6c7d',
      environment,
      endpoint_id: 'ep_0193a5b3e1f07a1b8c2d9e3f4a5b6c7d',
    },
  },
  'endpoint.disabled': {
    type: 'endpoint.disabled',
    timestamp: '2025-11-30T08:05:00.000+00:00',
    data: {
      event_id: 'evt_0193d42c1b807a1b8c2d9e3f4a5b6c7d',
      environment,
      endpoint_id: 'ep_0193a5b3e1f07a1b8c2d9e3f4a5b6c7d',
      url: 'https://shop.example.com/hooks/parcels',
      reason: 'failing',
    },
  },
};

/** An example as the platform at another address would show it. */
export function atBaseUrl<T>(example: T, baseUrl: string): T {
  if (example === undefined || baseUrl === EXAMPLE_BASE_URL) return example;
  return JSON.parse(JSON.stringify(example).replaceAll(EXAMPLE_BASE_URL, baseUrl)) as T;
}

/** An environment other than the examples' own shows it in place of theirs. */
export function inEnvironment<T>(example: T, other: Environment): T {
  if (other === environment) return example;
  return JSON.parse(JSON.stringify(example), (key, value: unknown) => (key === 'environment' ? other : value)) as T;
}
