import { describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { domainEventExamples, webhookExamples } from '@parcelway/contracts/examples';
import { compileValidator } from '@parcelway/contracts/validator';
import { webhookBodies } from '@parcelway/contracts/webhook-bodies';
import { optInEventTypes, standardEventTypes, tenantEventTypes } from '@parcelway/contracts/webhook-event-types';
import { disable } from '../../endpoints/domain/disabling.ts';
import { isBodyFor, isEventFor } from '../../endpoints/domain/subscription.ts';
import { endpointFor } from '../../testing/webhook-fixtures.ts';
import { streamOf, streamsOf } from './event-stream.ts';
import { type NotifiedEventType, notificationOf, notifiedEventTypes } from './notified-events.ts';
import { disabledEventOf, tenantEventOf, testEventFor } from './tenant-event.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const endpoint = endpointFor('tnt_one', { endpointId: 'we_1' });

describe('who gets an event', () => {
  test('a test event is for its endpoint alone, the news of a disabling for all others', () => {
    const other = { ...endpoint, endpointId: 'we_2', filter: { status: 7 } };
    const making = { eventId: 'evt_1', environment: 'sandbox', now: NOW } as const;
    const tested = testEventFor(endpoint, 'tracking.changed', making);
    expect([isEventFor(endpoint, tested), isEventFor(other, tested)]).toEqual([true, false]);
    expect(JSON.parse(tested.render(null))).toMatchObject({
      type: 'tracking.changed',
      data: { event_id: 'evt_1', test: true, environment: 'sandbox' },
    });
    const news = disabledEventOf(disable(endpoint, 'gone', NOW), making);
    expect([isEventFor(endpoint, news), isEventFor(other, news)]).toEqual([false, true]);
    expect(JSON.parse(news.render(null))).toMatchObject({ type: 'endpoint.disabled', data: { endpoint_id: 'we_1', reason: 'gone' } });
    // Who listens as an endpoint hears what it is sent.
    const stored = { type: news.type, body: news.render(null) };
    expect([isBodyFor(endpoint, stored), isBodyFor(other, stored)]).toEqual([false, true]);
  });
});

test('what everybody gets is one stream, what has to be named another', () => {
  expect(standardEventTypes.map(streamOf)).toEqual(['standard', 'standard']);
  expect(new Set(optInEventTypes.map(streamOf))).toEqual(new Set(['opt_in']));
  expect([streamOf('endpoint.disabled'), streamOf('endpoint.test')]).toEqual(['standard', 'standard']);
});

test('types are looked for in their streams alone', () => {
  expect(streamsOf(null)).toEqual(['standard']);
  expect(streamsOf(['tracking.changed', 'parcel.weighed', 'endpoint.disabled'])).toEqual(['standard']);
  expect(streamsOf(['parcel.arrived', 'forecast.accepted'])).toEqual(['opt_in']);
  expect(streamsOf(['parcel.arrived', 'parcel.weighed', 'parcel.put_away'])).toEqual(['opt_in', 'standard']);
});

const eventOf = (type: NotifiedEventType): DomainEvent<NotifiedEventType> => domainEventExamples[type] as DomainEvent<NotifiedEventType>;

describe('what tenants hear of', () => {
  test('every type that an endpoint can name follows from one domain event', () => {
    const types = notifiedEventTypes.map((type) => notificationOf(eventOf(type)).type);
    expect([...types].sort()).toEqual([...tenantEventTypes].sort());
  });

  test.each(notifiedEventTypes)('%s makes a body as documented, field by field in this order', (type) => {
    const event = tenantEventOf(eventOf(type));
    const example = webhookExamples[event.type];
    const body = JSON.parse(event.render(7)) as { readonly data: object };
    expect(compileValidator(webhookBodies[event.type]).errors(body)).toEqual([]);
    expect(Object.keys(body)).toEqual(['type', 'timestamp', 'data']);
    expect(Object.keys(body.data)).toEqual(Object.keys(example.data));
    expect(body).toEqual({ ...example, data: { ...example.data, event_seq: 7 } });
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
});
