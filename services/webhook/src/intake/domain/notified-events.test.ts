import { describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { domainEventExamples } from '@parcelway/contracts/domain-event-examples';
import { compileValidator } from '@parcelway/contracts/validator';
import * as webhookBodies from '@parcelway/contracts/webhook-bodies';
import { optInEventTypes, tenantEventTypes } from '@parcelway/contracts/webhook-event-types';
import { webhookExamples } from '@parcelway/contracts/webhook-examples';
import { type NotifiedEventType, notificationOf, notifiedEventTypes } from './notified-events.ts';
import { tenantEventOf } from './tenant-event.ts';

const eventOf = (type: NotifiedEventType): DomainEvent<NotifiedEventType> => domainEventExamples[type] as DomainEvent<NotifiedEventType>;

describe('what tenants hear of', () => {
  test('every type that an endpoint can name follows from one domain event', () => {
    const types = notifiedEventTypes.map((type) => notificationOf(eventOf(type)).type);
    expect([...types].sort()).toEqual([...tenantEventTypes].sort());
  });

  test.each(notifiedEventTypes)('%s makes a body as documented, field by field in this order', (type) => {
    const event = tenantEventOf(eventOf(type));
    const example = webhookExamples[event.type];
    const schema = Object.values(webhookBodies).find((body) => body.properties.type.const === event.type);
    const body = JSON.parse(event.render(7)) as { readonly data: object };
    expect(compileValidator(schema as NonNullable<typeof schema>).errors(body)).toEqual([]);
    expect(Object.keys(body)).toEqual(['type', 'timestamp', 'data']);
    expect(Object.keys(body.data)).toEqual(Object.keys(example.data));
    expect(body).toMatchObject({ type: event.type, timestamp: example.timestamp, data: { event_seq: 7 } });
    expect(event.fields).toMatchObject({ forecast_no: 'FC251121K7Q0Z4M2XT', po_number: 'PO-2025-1121-001' });
  });

  test('the bodies of the standard types are the same bytes as ever', () => {
    expect(tenantEventOf(domainEventExamples['parcel.weighed']).render(1)).toBe(
      '{"type":"parcel.weighed","timestamp":"2025-11-24T01:15:03.000+00:00","data":{"event_id":"evt_019ab36db5d87a1b8c2d9e3f4a5b6c7d","event_seq":1,"environment":"sandbox","forecast_no":"FC251121K7Q0Z4M2XT","po_number":"PO-2025-1121-001","status":3,"weighed_at":"2025-11-24T09:15:02+08:00"}}',
    );
    expect(tenantEventOf(domainEventExamples['tracking.changed']).render(2)).toBe(
      '{"type":"tracking.changed","timestamp":"2025-11-26T04:10:00.000+00:00","data":{"event_id":"evt_019abe5a99c07a1b8c2d9e3f4a5b6c7d","event_seq":2,"environment":"sandbox","forecast_no":"FC251121K7Q0Z4M2XT","po_number":"PO-2025-1121-001","previous_admin_status":"Picked Up","admin_status":"In Transit","is_terminal":false,"tracking_number":"YT2632500123456789"}}',
    );
  });

  test('events of former releases, which say less, notify too', () => {
    const { version: _version, items: _items, ...data } = domainEventExamples['forecast.accepted'].data;
    expect(notificationOf({ ...domainEventExamples['forecast.accepted'], data }).details).toMatchObject({ status: 1, version: 1 });
    const dispatched = domainEventExamples['forecast.dispatched'];
    expect(notificationOf(dispatched).details).toMatchObject({ status: 5 });
    expect(notificationOf({ ...dispatched, data: { ...dispatched.data, status: 6 } }).details).toMatchObject({ status: 6 });
    expect(optInEventTypes).toContain(notificationOf(dispatched).type);
    const { tracking_number: _number, ...unnumbered } = domainEventExamples['tracking.changed'].data;
    const details = notificationOf({ ...domainEventExamples['tracking.changed'], data: unnumbered }).details;
    expect(Object.keys(details)).toEqual(['previous_admin_status', 'admin_status', 'is_terminal']);
  });
});
