import { describe, expect, test } from '@jest/globals';
import { openShipmentDetails } from '@parcelway/contracts/shipment-details';
import { context, refusalOf, sealer } from '../../testing/report-set-up.ts';
import { NOW, PHOTO, photoId, report, weighing } from '../../testing/samples.ts';
import { judge, MAX_AHEAD_MS } from './judge.ts';

describe('judge', () => {
  test.each(['arrival', 'processing', 'put_away'])('takes %s', (type) => {
    const raw = report({ type, forecast_no: 'FC1', unknown_field: 'ignored' });
    expect(judge(raw, context)).toEqual({
      event: {
        eventId: raw.event_id,
        warehouseCode: 'WH1',
        occurredAt: '2026-11-21T09:00:00+08:00',
        forecastNo: 'FC1',
        expressNo: 'SF 1234-5678',
        scannedNumber: 'SF12345678',
        detail: { type },
      },
    });
  });

  test.each(['arrival', 'processing', 'put_away'])('takes the count of %s, each SKU once', (type) => {
    const received_items = [
      { sku_code: 'A', quantity: 2 },
      { sku_code: 'B', quantity: 0 },
      { sku_code: 'A', quantity: 3, unit: 'ignored' },
    ];
    const receivedItems = [
      { skuCode: 'A', quantity: 5 },
      { skuCode: 'B', quantity: 0 },
    ];
    expect(judge(report({ type, received_items }), context)).toMatchObject({ event: { detail: { type, receivedItems } } });
  });

  test('takes a scanned forecast number for the forecast that it names', () => {
    const express_no = 'fc261121 k7q0z4m2xt';
    expect(judge(report({ express_no }), context)).toMatchObject({ event: { forecastNo: 'FC261121K7Q0Z4M2XT', expressNo: express_no } });
    expect(judge(report({ express_no, forecast_no: 'FC1' }), context)).toMatchObject({ event: { forecastNo: 'FC1' } });
  });

  test('takes an empty count for none', () => {
    expect(judge(report({ type: 'arrival', received_items: [] }), context)).toMatchObject({ event: { detail: { type: 'arrival' } } });
    expect(JSON.stringify(judge(report({ type: 'arrival', received_items: [] }), context))).not.toContain('receivedItems');
  });

  test('takes an exception, its photos from their receipts, each once', () => {
    const raw = report({ type: 'exception', reason: 'damaged', text: 'Crushed', photo_ids: [photoId(), photoId()] });
    expect(judge(raw, context)).toMatchObject({
      event: { detail: { type: 'exception', reason: 'damaged', text: 'Crushed', photos: [PHOTO] } },
    });
  });

  test.each([
    [
      { type: 'exception', reason: 'other' },
      { type: 'exception', reason: 'other', text: null, photos: [] },
    ],
    [
      { type: 'exception', reason: 'other', text: '' },
      { type: 'exception', reason: 'other', text: null, photos: [] },
    ],
    [
      { type: 'hold', reason: 'Customs' },
      { type: 'hold', reason: 'Customs' },
    ],
    [{ type: 'hold' }, { type: 'hold', reason: null }],
    [
      { type: 'hold', reason: '' },
      { type: 'hold', reason: null },
    ],
    [{ type: 'release', reason: 'ignored' }, { type: 'release' }],
  ])('takes %j', (given, detail) => {
    expect(judge(report(given), context)).toMatchObject({ event: { detail } });
  });

  test('seals the details of a dispatch, the same way each time', () => {
    const raw = report({
      type: 'dispatch',
      carrier_code: 'dhl',
      tracking_number: 'jd 0146-00003',
      destination_postcode: '20095',
      phone_last4: '0042',
    });
    const detailOf = () => {
      const judgement = judge(raw, context);
      if (!('event' in judgement) || judgement.event.detail.type !== 'dispatch') throw new Error('the report was refused');
      return judgement.event.detail;
    };
    const { sealedDetails = '' } = detailOf();
    const owner = { carrierCode: 'dhl', trackingNumber: 'JD014600003' };
    expect(openShipmentDetails(sealer, owner, sealedDetails)).toEqual({ destination_postcode: '20095', phone_last4: '0042' });
    expect(detailOf()).toEqual({ type: 'dispatch', ...owner, sealedDetails });
    expect(JSON.stringify(detailOf())).not.toMatch(/20095|0042/);
  });

  test.each([
    [{ destination_country: 'de' }, 'destination_country'],
    [{ destination_postcode: '1\n2' }, 'destination_postcode'],
    [{ phone_last4: '123' }, 'phone_last4'],
    [{ ship_date: '2026-02-30' }, 'ship_date'],
    [{ carrier_service: '' }, 'carrier_service'],
  ])('names the detail %j that is wrong', (details, field) => {
    const raw = report({ type: 'dispatch', carrier_code: 'dhl', tracking_number: 'JD014600003', ...details });
    expect(refusalOf(raw).errors).toMatchObject([{ field }]);
  });

  test("takes a dispatch, the carrier's number normalised", () => {
    const raw = report({ type: 'dispatch', carrier_code: 'dhl', tracking_number: 'jd 0146-00003' });
    expect(judge(raw, context)).toMatchObject({
      event: { detail: { type: 'dispatch', carrierCode: 'dhl', trackingNumber: 'JD014600003' } },
    });
  });
});

const TYPES = 'type must be one of arrival, weighing, photo, processing, put_away, dispatch, exception, hold, release';

describe('judge', () => {
  test.each([
    ['null', null],
    ['a string', 'arrival'],
    ['a number', 1],
    ['an array', [report()]],
  ])('refuses %s', (_name, raw) => {
    expect(refusalOf(raw)).toMatchObject({ code: '42201', message: 'An event must be an object' });
  });

  test.each([undefined, null, 'ARRIVAL', 'constructor', '__proto__', 7, ['arrival']])(
    'refuses the type %p and lists the allowed ones',
    (type) => {
      expect(refusalOf(report({ type }))).toMatchObject({
        code: '42201',
        errors: [{ field: 'type', rule: 'enum', message: expect.stringContaining(TYPES) }],
      });
    },
  );

  test.each([
    ['wieghing', `${TYPES}; did you mean weighing?`],
    ['ARRIVAL', `${TYPES}; did you mean arrival?`],
    ['lost', TYPES],
  ])('says of the type %p: %s', (type, message) => expect(refusalOf(report({ type })).message).toBe(message));

  test('checks what every event has also when the type is not known', () => {
    const raw = report({ type: 'lost', event_id: '..', occurred_at: 'today', warehouse_code: '', express_no: undefined, weight_kg: 'x' });
    expect(
      refusalOf(raw)
        .errors.map(({ field }) => field)
        .sort(),
    ).toEqual(['event_id', 'forecast_no', 'occurred_at', 'type', 'warehouse_code']);
    expect(refusalOf(report({ type: 'lost', warehouse_code: 'WH2' })).errors.map(({ field }) => field)).toEqual(['type', 'warehouse_code']);
  });

  test.each(['arrival', 'lost'])('says once that an event of type %p names neither number', (type) => {
    const { errors } = refusalOf(report({ type, express_no: undefined }));
    expect(errors.filter(({ field }) => field !== 'type')).toEqual([
      { field: 'forecast_no', rule: 'required', message: 'forecast_no or express_no is required' },
    ]);
  });
});

describe('judge', () => {
  test("refuses another warehouse than the key's", () => {
    expect(refusalOf(report({ warehouse_code: 'WH2' }))).toMatchObject({
      code: '40301',
      message: 'warehouse_code is not the warehouse of this key',
    });
  });

  test('names another warehouse beside what else is wrong, under the code of the first fault', () => {
    const { code, errors } = refusalOf(report({ warehouse_code: 'WH2', occurred_at: 'yesterday' }));
    expect(code).toBe('42201');
    expect(errors.map(({ field, rule }) => [field, rule])).toEqual([
      ['occurred_at', 'format'],
      ['warehouse_code', 'foreign_warehouse'],
    ]);
    expect(refusalOf({ ...report({ type: 'lost' }), warehouse_code: 'WH2' }).errors).toHaveLength(2);
    expect(refusalOf(report({ occurred_at: 'yesterday' })).errors).toHaveLength(1);
    expect(refusalOf(report({ warehouse_code: '' })).errors).toMatchObject([{ field: 'warehouse_code', rule: 'min_length' }]);
    expect(refusalOf(report({ warehouse_code: 'WH2', occurred_at: 'yesterday' }), { warehouseCode: null }).errors).toHaveLength(1);
  });

  test('believes the warehouse where the channel is trusted to name it', () => {
    expect(judge(report({ warehouse_code: 'WH2' }), { ...context, warehouseCode: null })).toMatchObject({
      event: { warehouseCode: 'WH2' },
    });
  });
});

describe('judge', () => {
  test('takes a weighing, its photos from their receipts, each once', () => {
    const raw = weighing({ photo_ids: [photoId(), photoId({ id: 8 }), photoId()] });
    expect(judge(raw, context)).toMatchObject({
      event: {
        forecastNo: null,
        detail: { type: 'weighing', lengthCm: 30, widthCm: 20.5, heightCm: 10, weightKg: 1.25, photos: [PHOTO, { ...PHOTO, id: 8 }] },
      },
    });
  });

  test('takes a weighing without photos', () => {
    expect(judge(weighing(), context)).toMatchObject({ event: { detail: { photos: [] } } });
  });

  test.each([
    [undefined, 0],
    [3, 3],
  ])('takes a photo with image_order %p', (given, imageOrder) => {
    const raw = report({
      type: 'photo',
      photo_id: photoId(),
      image_type: 'package',
      ...(given === undefined ? {} : { image_order: given }),
    });
    expect(judge(raw, context)).toMatchObject({ event: { detail: { type: 'photo', photo: PHOTO, imageType: 'package', imageOrder } } });
  });

  test.each([
    ['unknown', 'ph_abc.0123456789012345678901'],
    ['no photo_id at all', '../../etc/passwd'],
    ["another warehouse's", photoId({ warehouse_code: 'WH2' })],
    ["the other environment's", photoId({ environment: 'production' })],
    ['a forged', photoId().replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
  ])('refuses a photo that is %s, with one response for all', (_name, id) => {
    expect(refusalOf(report({ type: 'photo', photo_id: id, image_type: 'package' }))).toMatchObject({
      code: '40403',
      message: 'photo_id is not the photo_id of a photo that this warehouse uploaded',
    });
    expect(refusalOf(report({ type: 'exception', reason: 'damaged', photo_ids: [photoId(), id] })).errors).toMatchObject([
      { field: 'photo_ids[1]', rule: 'unknown_photo' },
    ]);
    expect(refusalOf(weighing({ photo_ids: [photoId(), id] }))).toMatchObject({
      code: '40403',
      message: 'photo_ids[1] is not the photo_id of a photo that this warehouse uploaded',
    });
  });

  test('holds photos against the warehouse that a trusted channel names', () => {
    const raw = weighing({ warehouse_code: 'WH2', photo_ids: [photoId()] });
    expect(refusalOf(raw, { warehouseCode: null }).code).toBe('40403');
  });
});

describe('judge', () => {
  test.each([
    ['without event_id', report({ event_id: undefined }), 'event_id is required'],
    ['with a blank in event_id', report({ event_id: 'a b' }), 'event_id must have only letters, digits and'],
    [
      'with dots alone for an event_id',
      report({ event_id: '..' }),
      'event_id must have only letters, digits and . _ : @ / + -, and not dots alone',
    ],
    ['with too long an event_id', report({ event_id: 'a'.repeat(129) }), 'event_id must have at most 128 characters'],
    ['without either number', report({ express_no: undefined }), 'forecast_no or express_no is required'],
    ['with null for a number', report({ express_no: null }), 'express_no must be a string'],
    ['with too short a number', report({ express_no: 'A- 1' }), 'express_no must have 4 to 64 characters'],
    ['with a control character in forecast_no', report({ forecast_no: 'FC\u0000' }), 'forecast_no must not contain control characters'],
    ['with a time without offset', report({ occurred_at: '2026-11-21T08:00:00' }), 'occurred_at must be an ISO 8601 time with offset'],
    ['with a leap second', report({ occurred_at: '2016-12-31T23:59:60Z' }), 'occurred_at must be an ISO 8601 time with offset'],
    ['with a weight of 0', weighing({ weight_kg: 0 }), 'weight_kg must be greater than 0'],
    ['with a length as text', weighing({ length_cm: '30' }), 'length_cm must be a number'],
    ['without a measurement', weighing({ height_cm: undefined }), 'height_cm is required'],
    ['with 51 photos', weighing({ photo_ids: Array.from({ length: 51 }, () => 'x') }), 'photo_ids must have at most 50 elements'],
    ['with an unknown image type', report({ type: 'photo', photo_id: 'x', image_type: 'selfie' }), 'image_type must be one of product'],
    ['of an unknown exception', report({ type: 'exception', reason: 'wet' }), 'reason must be one of damaged'],
    ['of an exception without reason', report({ type: 'exception' }), 'reason is required'],
    ['with 1001 characters of text', report({ type: 'exception', reason: 'other', text: 'x'.repeat(1001) }), 'text must have at most 1000'],
    ['with 501 characters of reason', report({ type: 'hold', reason: 'x'.repeat(501) }), 'reason must have at most 500'],
    ['with a count of no SKU', report({ received_items: [{ quantity: 1 }] }), 'received_items[0].sku_code is required'],
    [
      'with a count below 0',
      report({ type: 'put_away', received_items: [{ sku_code: 'A', quantity: -1 }] }),
      'received_items[0].quantity must be at least 0',
    ],
    [
      'with a count of 2001 SKUs',
      report({ type: 'processing', received_items: Array.from({ length: 2001 }, (_, index) => ({ sku_code: `${index}`, quantity: 1 })) }),
      'received_items must have at most 2000 elements',
    ],
    ['without a carrier', report({ type: 'dispatch', tracking_number: 'JD014600003' }), 'carrier_code is required'],
  ])('refuses a report %s', (_name, raw, message) => {
    // As parsed from JSON: without the fields that are undefined.
    const refusal = refusalOf(JSON.parse(JSON.stringify(raw)));
    expect(refusal.code).toBe('42201');
    expect(refusal.message).toContain(message);
  });

  test('names several errors at once, and how many more there are', () => {
    const { message } = refusalOf({ type: 'dispatch' });
    expect(message).toContain('event_id is required');
    expect(message).toContain('occurred_at is required');
    expect(message).toMatch(/; and \d+ more$/);
  });

  test('allows for clocks that are wrong, up to a day', () => {
    const at = (ms: number): unknown => report({ occurred_at: new Date(NOW + ms).toISOString() });
    expect(judge(at(MAX_AHEAD_MS), context)).toHaveProperty('event');
    expect(refusalOf(at(MAX_AHEAD_MS + 1))).toMatchObject({
      code: '42201',
      message: 'occurred_at must not be more than 24 hours in the future',
    });
  });
});
