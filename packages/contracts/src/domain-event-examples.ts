import { createDomainEvent, type DomainEvent } from './cloud-event.ts';
import type { DomainEventData, DomainEventType } from './domain-events.ts';
import { EXAMPLE_BASE_URL, exampleParcel, examplePhoto } from './example-parcel.ts';
import type { ServiceName } from './service-name.ts';
import type { WarehouseEventType } from './warehouse-api.ts';
import { warehouseEventExamples } from './warehouse-event-examples.ts';

/*
 * One domain event of each type: the way of one parcel through the platform. The API documents show them, and a test holds each
 * against its schema.
 */

const { environment, tenantId, keyId, poNumber, forecastNo, forecastId, warehouseCode } = exampleParcel;
const forecast = { forecast_no: forecastNo, po_number: poNumber };

/** What the platform makes of a report: the warehouse's words, with the forecast that was found. */
function fromReport(type: WarehouseEventType) {
  const { event_id, warehouse_code, express_no, occurred_at } = warehouseEventExamples[type];
  return { event_id, forecast_no: forecastNo, warehouse_code, express_no: express_no ?? null, occurred_at };
}

/** What the forecast records of a report. */
function recorded(type: WarehouseEventType, status: number) {
  const { warehouse_code, occurred_at } = warehouseEventExamples[type];
  return { ...forecast, status, warehouse_code, occurred_at };
}

/** What the forecast of the examples is to contain, as its events say it. */
const exampleContent = {
  version: 1,
  due_date: '2025-11-25',
  shipping_label: `${EXAMPLE_BASE_URL}/files/8Jq2mWcR5tYv1LkZ0pXnBg-f3Hs9aUeD7oKxQ2iT6wMzA.pdf`,
  shipping_note: `${EXAMPLE_BASE_URL}/files/Q2iT6wMzAf3Hs9aUeD7oKx-1LkZ0pXnBg8Jq2mWcR5tYv.pdf`,
  carton_count: 1,
  item_count: 1,
  items: [
    {
      sku_code: 'SKU-TEE-BLK-M',
      barcode: '4006381333931',
      product_name_en: 'T-shirt, black, M',
      product_name_cn: 'T恤 黑色 M码',
      forecast_quantity: 2,
      tracking_number: exampleParcel.trackingNumber,
      declared_weight_kg: 0.2,
    },
  ],
};

/** Tokens of its files. */
const exampleFiles = { files: ['8Jq2mWcR5tYv1LkZ0pXnBg'], photos: ['8Jq2mWcR5tYv1LkZ0pXnBg'] };

/** Subjects of the examples that are about no forecast. */
export const exampleSubjects: { readonly [T in DomainEventType]?: string } = {
  'key.revoked': keyId,
  'warehouse.opened': warehouseCode,
  'warehouse.renamed': warehouseCode,
  'warehouse.closed': warehouseCode,
  'tenant.retention-changed': tenantId,
  'tenant.suspended': tenantId,
};

function event<T extends DomainEventType>(type: T, publisher: ServiceName, at: string, data: DomainEventData<T>): DomainEvent<T> {
  const serial = Date.parse(at).toString(16).padStart(12, '0');
  const subject = exampleSubjects[type] ?? forecastNo;
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
    ...exampleContent,
  }),
  'forecast.corrected': event('forecast.corrected', 'forecast', '2025-11-21T09:05:00.000Z', {
    ...forecast,
    forecast_id: forecastId,
    forecast_type: 2,
    warehouse_code: warehouseCode,
    tracking_numbers: [exampleParcel.trackingNumber],
    accepted_at: '2025-11-21T08:00:00.120+00:00',
    ...exampleContent,
    due_date: '2025-11-26',
    version: 2,
    status: 1,
    changed: ['due_date'],
    previous_warehouse_code: warehouseCode,
    corrected_at: '2025-11-21T09:05:00.000+00:00',
  }),
  'forecast.cancelled': event('forecast.cancelled', 'forecast', '2025-11-21T09:30:00.000Z', {
    ...forecast,
    cancelled_at: '2025-11-21T09:30:00.000+00:00',
  }),
  'forecast.report_refused': event('forecast.report_refused', 'forecast', '2025-11-24T01:15:02.600Z', {
    ...forecast,
    warehouse_code: warehouseCode,
    event_id: warehouseEventExamples.weighing.event_id,
    cancelled_at: '2025-11-21T09:30:00.000+00:00',
    photos: ['8Jq2mWcR5tYv1LkZ0pXnBg'],
  }),
  'forecast.images_changed': event('forecast.images_changed', 'forecast', '2025-11-21T09:12:00.000Z', {
    ...forecast,
    revision: 1,
    images: ['pXnBg8Jq2mWcR5tYv1LkZ0'],
    changed_at: '2025-11-21T09:12:00.000+00:00',
  }),
  'forecast.dispatched': event('forecast.dispatched', 'forecast', '2025-11-25T10:30:01.000Z', {
    ...forecast,
    status: 5,
    carrier_code: exampleParcel.carrierCode,
    tracking_number: exampleParcel.carrierNumber,
    dispatched_at: '2025-11-25T18:30:00+08:00',
  }),
  'parcel.arrived': event('parcel.arrived', 'forecast', '2025-11-24T00:52:12.000Z', recorded('arrival', 2)),
  'parcel.weighed': event('parcel.weighed', 'forecast', '2025-11-24T01:15:03.000Z', {
    ...forecast,
    status: 3,
    weighed_at: '2025-11-24T09:15:02+08:00',
  }),
  'parcel.photographed': event('parcel.photographed', 'forecast', '2025-11-24T01:16:22.000Z', {
    ...recorded('photo', 3),
    image_type: 'package',
    image_order: 1,
    image_url: examplePhoto.image_url,
  }),
  'parcel.processed': event('parcel.processed', 'forecast', '2025-11-24T02:40:02.000Z', recorded('processing', 4)),
  'parcel.put_away': event('parcel.put_away', 'forecast', '2025-11-24T03:05:33.000Z', {
    ...recorded('put_away', 6),
    received_items: [{ sku_code: 'SKU-TEE-BLK-M', quantity: 2 }],
  }),
  'parcel.completed': event('parcel.completed', 'forecast', '2025-11-24T03:05:34.000Z', {
    ...forecast,
    status: 6,
    reason: 'put_away',
    completed_at: '2025-11-24T03:05:34.000+00:00',
  }),
  'parcel.exception': event('parcel.exception', 'forecast', '2025-11-24T01:20:01.000Z', {
    ...recorded('exception', 3),
    reason: 'damaged',
    text: 'One corner of the carton is crushed',
    photos: [examplePhoto],
  }),
  'parcel.held': event('parcel.held', 'forecast', '2025-11-24T01:21:01.000Z', {
    ...recorded('hold', 3),
    reason: 'Waits for the merchant',
    hold_reports: 1,
    on_hold: true,
    holds: [{ reason: 'Waits for the merchant', held_at: '2025-11-24T09:21:00+08:00', released_at: null }],
  }),
  'parcel.released': event('parcel.released', 'forecast', '2025-11-24T01:50:01.000Z', {
    ...recorded('release', 3),
    hold_reports: 2,
    on_hold: false,
    holds: [{ reason: 'Waits for the merchant', held_at: '2025-11-24T09:21:00+08:00', released_at: '2025-11-24T09:50:00+08:00' }],
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
  'warehouse.put-away': event('warehouse.put-away', 'warehouse-intake', '2025-11-24T03:05:32.000Z', {
    ...fromReport('put_away'),
    received_items: [{ sku_code: 'SKU-TEE-BLK-M', quantity: 2 }],
  }),
  'warehouse.dispatched': event('warehouse.dispatched', 'warehouse-intake', '2025-11-25T10:30:00.500Z', {
    ...fromReport('dispatch'),
    carrier_code: exampleParcel.carrierCode,
    tracking_number: exampleParcel.carrierNumber,
  }),
  'warehouse.exception': event('warehouse.exception', 'warehouse-intake', '2025-11-24T01:20:00.500Z', {
    ...fromReport('exception'),
    reason: 'damaged',
    text: 'One corner of the carton is crushed',
    photos: [examplePhoto],
  }),
  'warehouse.held': event('warehouse.held', 'warehouse-intake', '2025-11-24T01:21:00.500Z', {
    ...fromReport('hold'),
    reason: 'Waits for the merchant',
  }),
  'warehouse.released': event('warehouse.released', 'warehouse-intake', '2025-11-24T01:50:00.500Z', fromReport('release')),
  'tracking.changed': event('tracking.changed', 'tracking', '2025-11-26T04:10:00.000Z', {
    ...forecast,
    previous_admin_status: 'Picked Up',
    admin_status: 'In Transit',
    is_terminal: false,
    tracking_number: exampleParcel.carrierNumber,
    changed_at: '2025-11-26T04:10:00.000+00:00',
  }),
  'key.revoked': event('key.revoked', 'gateway', '2025-11-21T12:00:00.000Z', {
    key_id: keyId,
    revoked_at: '2025-11-21T12:00:00.000+00:00',
  }),
  'warehouse.opened': event('warehouse.opened', 'gateway', '2025-11-01T01:00:00.000Z', {
    warehouse_code: warehouseCode,
    version: 1,
    name: 'Shenzhen Bao’an',
    opened_at: '2025-11-01T01:00:00.000+00:00',
  }),
  'warehouse.renamed': event('warehouse.renamed', 'gateway', '2025-12-01T01:00:00.000Z', {
    warehouse_code: warehouseCode,
    version: 2,
    name: 'Shenzhen 1',
    renamed_at: '2025-12-01T01:00:00.000+00:00',
  }),
  'warehouse.closed': event('warehouse.closed', 'gateway', '2026-06-30T10:00:00.000Z', {
    warehouse_code: warehouseCode,
    version: 3,
    closed_at: '2026-06-30T10:00:00.000+00:00',
  }),
  'tenant.retention-changed': event('tenant.retention-changed', 'gateway', '2026-01-05T10:00:00.000Z', {
    tenant_id: tenantId,
    version: 1,
    forecast_days: 730,
    file_days: 180,
    changed_at: '2026-01-05T10:00:00.000+00:00',
  }),
  'tenant.suspended': event('tenant.suspended', 'gateway', '2026-02-01T10:00:00.000Z', {
    tenant_id: tenantId,
    suspended_at: '2026-02-01T10:00:00.000+00:00',
  }),
  'forecast.files_expired': event('forecast.files_expired', 'forecast', '2026-06-01T00:10:00.000Z', {
    ...forecast,
    expired_at: '2026-06-01T00:10:00.000+00:00',
    ...exampleFiles,
  }),
  'forecast.expired': event('forecast.expired', 'forecast', '2027-12-03T00:10:00.000Z', {
    ...forecast,
    expired_at: '2027-12-03T00:10:00.000+00:00',
    ...exampleFiles,
  }),
};
