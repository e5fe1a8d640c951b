import { describe, expect, test } from '@jest/globals';
import type { ErrorCode } from '@parcelway/kernel/error-codes';
import { createDomainEvent, type DomainEvent } from './cloud-event.ts';
import { type DomainEventData, type DomainEventType, domainEventSchemas, domainEventTypes, topicOf } from './domain-events.ts';
import { decodeEvent, encodeEvent, partitionKey } from './encode-event.ts';
import { eventContent } from './testing/event-content.ts';

const forecast = { forecast_no: 'FC261121K7Q0Z4M2XT', po_number: 'PO-1' };
const at = '2026-11-21T00:00:00.000Z';
const photo = { id: 1, image_path: 'p/1.jpg', image_url: 'https://h/p/1.jpg', file_size: 10, upload_time: at };
const warehouse = { event_id: 'we-1', forecast_no: forecast.forecast_no, warehouse_code: 'LAX1', express_no: null, occurred_at: at };

const progress = { ...forecast, status: 2, warehouse_code: 'LAX1', occurred_at: at };
const accepted = {
  ...forecast,
  ...eventContent,
  forecast_id: 1,
  forecast_type: 2,
  warehouse_code: 'LAX1',
  tracking_numbers: ['1Z99'],
  accepted_at: at,
};
const items = [{ sku_code: 'S', product_name_en: 'Tea', forecast_quantity: 1 }];

/** Valid data of every event type. */
const examples: { readonly [T in DomainEventType]: DomainEventData<T> } = {
  'forecast.accepted': accepted,
  'forecast.corrected': {
    ...accepted,
    version: 2,
    items,
    status: 1,
    changed: ['items'],
    previous_warehouse_code: 'LAX1',
    corrected_at: at,
  },
  'forecast.cancelled': { ...forecast, cancelled_at: at },
  'forecast.report_refused': { ...forecast, warehouse_code: 'WH1', event_id: 'e1', cancelled_at: at, photos: [] },
  'forecast.images_changed': { ...forecast, revision: 1, images: ['8Jq2mWcR5tYv1LkZ0pXnBg'], changed_at: at },
  'forecast.dispatched': { ...forecast, status: 5, carrier_code: 'ups', tracking_number: '1Z99', dispatched_at: at },
  'forecast.expired': { ...forecast, expired_at: at, files: ['8Jq2mWcR5tYv1LkZ0pXnBg'], photos: [] },
  'forecast.files_expired': { ...forecast, expired_at: at, files: [], photos: ['8Jq2mWcR5tYv1LkZ0pXnBg'] },
  'parcel.arrived': progress,
  'parcel.weighed': { ...forecast, status: 3, weighed_at: at },
  'parcel.photographed': { ...progress, image_type: 'package', image_order: 1, image_url: photo.image_url },
  'parcel.processed': progress,
  'parcel.put_away': { ...progress, received_items: [{ sku_code: 'S', quantity: 1 }] },
  'parcel.completed': { ...forecast, status: 6, reason: 'put_away', completed_at: at },
  'parcel.exception': { ...progress, reason: 'damaged', text: null, photos: [photo] },
  'parcel.held': { ...progress, reason: null, hold_reports: 1, on_hold: true, holds: [{ reason: null, held_at: at, released_at: null }] },
  'parcel.released': { ...progress, hold_reports: 2, on_hold: false, holds: [{ reason: null, held_at: at, released_at: at }] },
  'warehouse.arrived': warehouse,
  'warehouse.weighed': { ...warehouse, length_cm: 1, width_cm: 2, height_cm: 3, weight_kg: 0.5, photos: [photo] },
  'warehouse.photographed': { ...warehouse, photo, image_type: 'package', image_order: 1 },
  'warehouse.processed': warehouse,
  'warehouse.put-away': warehouse,
  'warehouse.dispatched': { ...warehouse, carrier_code: 'ups', tracking_number: '1Z99' },
  'warehouse.exception': { ...warehouse, reason: 'other', text: 'Wet', photos: [] },
  'warehouse.held': { ...warehouse, reason: null },
  'warehouse.released': warehouse,
  'tracking.changed': {
    ...forecast,
    tracking_number: '1Z99',
    previous_admin_status: '',
    admin_status: 'In Transit',
    is_terminal: false,
    changed_at: at,
  },
  'key.revoked': { key_id: 'key_1', revoked_at: at },
  'warehouse.opened': { warehouse_code: 'W1', version: 1, name: 'One', opened_at: at },
  'warehouse.renamed': { warehouse_code: 'W1', version: 2, name: 'Two', renamed_at: at },
  'warehouse.closed': { warehouse_code: 'W1', version: 3, closed_at: at },
  'tenant.retention-changed': { tenant_id: 'tnt_1', version: 1, forecast_days: 400, file_days: null, changed_at: at },
  'tenant.suspended': { tenant_id: 'tnt_1', suspended_at: at },
};

/** An event of a type with its example data. */
function eventOf(type: DomainEventType, data: unknown = examples[type]): DomainEvent {
  return createDomainEvent({
    type,
    publisher: 'forecast',
    tenantId: 'tnt_1',
    environment: 'sandbox',
    subject: forecast.forecast_no,
    time: Date.parse(at),
    data: data as DomainEventData<DomainEventType>,
  });
}

/** Code of the AppError that `act` throws. */
function codeOf(act: () => unknown): ErrorCode | undefined {
  try {
    act();
  } catch (error) {
    return (error as { code?: ErrorCode }).code;
  }
  return undefined;
}

describe('an event', () => {
  test('has the CloudEvents envelope', () => {
    expect(eventOf('parcel.weighed')).toEqual({
      specversion: '1.0',
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      source: '/services/forecast',
      type: 'parcel.weighed',
      subject: forecast.forecast_no,
      time: at,
      datacontenttype: 'application/json',
      tenantid: 'tnt_1',
      environment: 'sandbox',
      data: examples['parcel.weighed'],
    });
  });

  test('keeps an id that is given, for a write that may be tried again', () => {
    const event = { type: 'key.revoked', publisher: 'gateway', tenantId: 't', environment: 'sandbox', subject: 's', time: 0 } as const;
    expect(createDomainEvent({ ...event, data: examples['key.revoked'], id: 'evt_fixed' }).id).toBe('evt_fixed');
  });

  test('has a topic for every type, and the types are those that have schemas', () => {
    expect(domainEventTypes).toEqual(Object.keys(domainEventSchemas));
    expect(Object.keys(topicOf).sort()).toEqual([...domainEventTypes].sort());
  });
});

describe.each(domainEventTypes)('%s', (type) => {
  test('travels on its topic, keyed by tenant and parcel, and comes back as it was', () => {
    const event = eventOf(type);
    const message = encodeEvent(event);
    expect(message).toMatchObject({ topic: topicOf[type], key: `tnt_1/${forecast.forecast_no}` });
    expect(message.key).toBe(partitionKey(event));
    expect(decodeEvent(message.value)).toEqual(event);
  });

  const { required }: { readonly required: readonly string[] } = domainEventSchemas[type];
  const without = (field: string) => Object.fromEntries(Object.entries(examples[type]).filter(([name]) => name !== field));

  test.each(required)('is neither sent nor read without %s', (field) => {
    const data = without(field);
    expect(codeOf(() => encodeEvent(eventOf(type, data)))).toBe('50000');
    expect(codeOf(() => decodeEvent(JSON.stringify(eventOf(type, data))))).toBe('42201');
  });

  test('may lack every other field', () => {
    for (const field of Object.keys(examples[type]).filter((name) => !required.includes(name))) {
      expect(codeOf(() => decodeEvent(JSON.stringify(eventOf(type, without(field)))))).toBeUndefined();
    }
  });

  test('may carry fields that this version does not know', () => {
    const data = { ...examples[type], added_later: 1 };
    expect(decodeEvent(JSON.stringify(eventOf(type, data))).data).toEqual(data);
  });
});

describe('a message that is no event', () => {
  test.each(['', '{', 'nope', '{"a":1,}'])('is 40001 when it is no JSON: %p', (value) => {
    expect(codeOf(() => decodeEvent(value))).toBe('40001');
  });

  test.each(['null', '1', '"text"', '[]', '{}', '{"specversion":"1.0"}'])('is 42201 when it is %p', (value) => {
    expect(codeOf(() => decodeEvent(value))).toBe('42201');
  });

  const event = eventOf('key.revoked');
  test.each([
    { specversion: '0.3' },
    { id: 7 },
    { tenantid: undefined },
    { subject: null },
    { time: 1 },
    { type: undefined },
    { type: 'parcel.lost' },
    { type: 'toString' },
    { data: undefined },
    { data: 'text' },
  ])('is 42201 with %j', (change) => {
    expect(codeOf(() => decodeEvent(JSON.stringify({ ...event, ...change })))).toBe('42201');
  });
});
