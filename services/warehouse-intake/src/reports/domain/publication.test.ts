import { describe, expect, test } from '@jest/globals';
import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { EventDetail } from '../../expected/domain/event.ts';
import { acceptedForecast, intakeEvent, NOW, PHOTO, traceOf } from '../../testing/samples.ts';
import { publicationOf } from './publication.ts';

const cases: readonly (readonly [EventDetail, string, object])[] = [
  [{ type: 'arrival' }, 'warehouse.arrived', {}],
  [{ type: 'processing' }, 'warehouse.processed', {}],
  [{ type: 'put_away' }, 'warehouse.put-away', {}],
  ...(
    [
      ['arrival', 'warehouse.arrived'],
      ['processing', 'warehouse.processed'],
      ['put_away', 'warehouse.put-away'],
    ] as const
  ).map(
    ([type, published]) =>
      [{ type, receivedItems: [{ skuCode: 'A', quantity: 2 }] }, published, { received_items: [{ sku_code: 'A', quantity: 2 }] }] as const,
  ),
  [
    { type: 'exception', reason: 'damaged', text: 'Crushed', photos: [PHOTO] },
    'warehouse.exception',
    { reason: 'damaged', text: 'Crushed', photos: [PHOTO] },
  ],
  [{ type: 'hold', reason: null }, 'warehouse.held', { reason: null }],
  [{ type: 'release' }, 'warehouse.released', {}],
  [
    { type: 'weighing', lengthCm: 30, widthCm: 20, heightCm: 10, weightKg: 1.25, photos: [PHOTO] },
    'warehouse.weighed',
    { length_cm: 30, width_cm: 20, height_cm: 10, weight_kg: 1.25, photos: [PHOTO] },
  ],
  [
    { type: 'photo', photo: PHOTO, imageType: 'package', imageOrder: 0 },
    'warehouse.photographed',
    { photo: PHOTO, image_type: 'package', image_order: 0 },
  ],
  [
    { type: 'dispatch', carrierCode: 'dhl', trackingNumber: 'JD014600003' },
    'warehouse.dispatched',
    { carrier_code: 'dhl', tracking_number: 'JD014600003' },
  ],
  [
    { type: 'dispatch', carrierCode: 'dhl', trackingNumber: 'JD014600003', sealedDetails: 's1.k.AAAA' },
    'warehouse.dispatched',
    { carrier_code: 'dhl', tracking_number: 'JD014600003', sealed_details: 's1.k.AAAA' },
  ],
];

describe('publicationOf', () => {
  test.each(cases)('%j', (detail, type, data) => {
    const event = intakeEvent({ detail });
    const occasion = { id: 'evt_1', now: NOW, traceparent: traceOf(1) };
    const publication = publicationOf(event, acceptedForecast({ tenantId: 'tnt_a', environment: 'production' }), occasion);
    expect(publication).toEqual({
      specversion: '1.0',
      id: 'evt_1',
      source: '/services/warehouse-intake',
      type,
      subject: 'FC1',
      time: '2026-11-21T08:00:00.000Z',
      datacontenttype: 'application/json',
      tenantid: 'tnt_a',
      environment: 'production',
      traceparent: traceOf(1),
      data: {
        event_id: event.eventId,
        forecast_no: 'FC1',
        warehouse_code: 'WH1',
        express_no: 'SF 1234-5678',
        occurred_at: event.occurredAt,
        matched: true,
        ...data,
      },
    });
    expect(encodeEvent(publication)).toMatchObject({ topic: 'warehouse.events.v1', key: 'tnt_a/FC1' });
  });

  test('does not call the forecast matched that the warehouse names', () => {
    const occasion = { id: 'evt_1', now: NOW, traceparent: undefined };
    const named = publicationOf(intakeEvent({ forecastNo: 'FC1', expressNo: 'SF 1234-5678' }), acceptedForecast(), occasion);
    expect(named.data).not.toHaveProperty('matched');
  });
});
