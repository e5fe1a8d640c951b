import { describe, expect, test } from '@jest/globals';
import { openShipmentDetails } from '@parcelway/contracts/shipment-details';
import { context, refusalOf, sealer } from '../../testing/report-set-up.ts';
import { NOW, PHOTO, photoId, report, weighing } from '../../testing/samples.ts';
import { judge, MAX_AHEAD_MS } from './judge.ts';

const detailOf = (raw: object) => {
  const judgement = judge(raw, context);
  if (!('event' in judgement)) throw new Error('the report was refused');
  return judgement.event.detail;
};
const fieldsOf = (raw: unknown, given = {}): string[] => refusalOf(raw, given).errors.map(({ field }) => field);

describe('a report that is taken', () => {
  test('has its own fields and no others', () => {
    const raw = report({ forecast_no: 'FC1', unknown_field: 'ignored' });
    expect(judge(raw, context)).toEqual({
      event: {
        eventId: raw.event_id,
        warehouseCode: 'WH1',
        occurredAt: '2026-11-21T09:00:00+08:00',
        forecastNo: 'FC1',
        expressNo: 'SF 1234-5678',
        scannedNumber: 'SF12345678',
        detail: { type: 'arrival' },
      },
    });
  });

  const received_items = [
    { sku_code: 'A', quantity: 2 },
    { sku_code: 'B', quantity: 0 },
    { sku_code: 'A', quantity: 3, unit: 'ignored' },
  ];
  const receivedItems = [
    { skuCode: 'A', quantity: 5 },
    { skuCode: 'B', quantity: 0 },
  ];
  test.each([
    [
      { type: 'arrival', received_items },
      { type: 'arrival', receivedItems },
    ],
    [{ type: 'processing' }, { type: 'processing' }],
    [{ type: 'put_away', received_items: [] }, { type: 'put_away' }],
    [
      { type: 'exception', reason: 'damaged', text: 'Crushed', photo_ids: [photoId(), photoId({ id: 8 }), photoId()] },
      { type: 'exception', reason: 'damaged', text: 'Crushed', photos: [PHOTO, { ...PHOTO, id: 8 }] },
    ],
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
    [
      { type: 'hold', reason: '' },
      { type: 'hold', reason: null },
    ],
    [{ type: 'release', reason: 'ignored' }, { type: 'release' }],
    [
      { type: 'photo', photo_id: photoId(), image_type: 'package' },
      { type: 'photo', photo: PHOTO, imageType: 'package', imageOrder: 0 },
    ],
    [
      { type: 'photo', photo_id: photoId(), image_type: 'product', image_order: 3 },
      { type: 'photo', photo: PHOTO, imageType: 'product', imageOrder: 3 },
    ],
    [
      weighing({ photo_ids: [photoId()] }),
      { type: 'weighing', lengthCm: 30, widthCm: 20.5, heightCm: 10, weightKg: 1.25, photos: [PHOTO] },
    ],
    [
      { type: 'dispatch', carrier_code: 'dhl', tracking_number: 'jd 0146-00003' },
      { type: 'dispatch', carrierCode: 'dhl', trackingNumber: 'JD014600003' },
    ],
  ])('%j has its detail', (given, detail) => expect(detailOf(report(given))).toEqual(detail));

  test('names a forecast by a scanned forecast number', () => {
    const express_no = 'fc261121 k7q0z4m2xt';
    expect(judge(report({ express_no }), context)).toMatchObject({ event: { forecastNo: 'FC261121K7Q0Z4M2XT', expressNo: express_no } });
    expect(judge(report({ express_no, forecast_no: 'FC1' }), context)).toMatchObject({ event: { forecastNo: 'FC1' } });
  });

  test('has the details of a dispatch sealed, the same way each time', () => {
    const owner = { carrierCode: 'dhl', trackingNumber: 'JD014600003' };
    const sent = { type: 'dispatch', carrier_code: 'dhl', tracking_number: 'JD014600003' };
    const raw = report({ ...sent, destination_postcode: '20095', phone_last4: '0042' });
    const detail = detailOf(raw);
    const { sealedDetails = '' } = detail.type === 'dispatch' ? detail : {};
    expect(openShipmentDetails(sealer, owner, sealedDetails)).toEqual({ destination_postcode: '20095', phone_last4: '0042' });
    expect(detailOf(raw)).toEqual({ type: 'dispatch', ...owner, sealedDetails });
    expect(JSON.stringify(detail)).not.toMatch(/20095|0042/);
    expect(fieldsOf({ ...raw, phone_last4: '123' })).toEqual(['phone_last4']);
  });

  test('names its warehouse itself on a trusted channel', () => {
    expect(judge(report({ warehouse_code: 'WH2' }), { ...context, warehouseCode: null })).toMatchObject({
      event: { warehouseCode: 'WH2' },
    });
  });
});

const TYPES = 'type must be one of arrival, weighing, photo, processing, put_away, dispatch, exception, hold, release';

describe('a report that is refused', () => {
  test.each([null, 'arrival', 1, [report()]])('is no object: %j', (raw) => {
    expect(refusalOf(raw)).toMatchObject({ code: '42201', message: 'An event must be an object' });
  });

  test.each([
    [undefined, TYPES],
    ['constructor', TYPES],
    ['__proto__', `${TYPES}; did you mean photo?`],
    [['arrival'], TYPES],
    ['lost', TYPES],
    ['wieghing', `${TYPES}; did you mean weighing?`],
    ['ARRIVAL', `${TYPES}; did you mean arrival?`],
  ])('has the type %j', (type, message) => {
    expect(refusalOf(report({ type }))).toMatchObject({ code: '42201', message, errors: [{ field: 'type', rule: 'enum', message }] });
  });

  test('of an unknown type is checked for the fields of every event', () => {
    const raw = report({ type: 'lost', event_id: '..', occurred_at: 'today', warehouse_code: '', express_no: undefined, weight_kg: 'x' });
    expect(fieldsOf(raw).sort()).toEqual(['event_id', 'forecast_no', 'occurred_at', 'type', 'warehouse_code']);
    expect(fieldsOf(report({ type: 'lost', warehouse_code: 'WH2' }))).toEqual(['type', 'warehouse_code']);
  });

  test.each(['arrival', 'lost'])('says once that it names neither number; of type %p', (type) => {
    const { errors } = refusalOf(report({ type, express_no: undefined }));
    expect(errors.filter(({ field }) => field !== 'type')).toEqual([
      { field: 'forecast_no', rule: 'required', message: 'forecast_no or express_no is required' },
    ]);
  });

  test('is of another warehouse than the key; beside other faults, under the code of the first', () => {
    expect(refusalOf(report({ warehouse_code: 'WH2' }))).toMatchObject({
      code: '40301',
      message: 'warehouse_code is not the warehouse of this key',
    });
    const both = report({ warehouse_code: 'WH2', occurred_at: 'yesterday' });
    expect([refusalOf(both).code, fieldsOf(both)]).toEqual(['42201', ['occurred_at', 'warehouse_code']]);
    expect(refusalOf(report({ warehouse_code: '' })).errors).toMatchObject([{ field: 'warehouse_code', rule: 'min_length' }]);
    expect(fieldsOf(both, { warehouseCode: null })).toEqual(['occurred_at']);
  });

  test.each([
    ['unknown', 'ph_abc.0123456789012345678901'],
    ['no photo_id at all', '../../etc/passwd'],
    ["another warehouse's", photoId({ warehouse_code: 'WH2' })],
    ["the other environment's", photoId({ environment: 'production' })],
    ['a forged', photoId().replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
  ])('names a photo that is %s, with the same response for all', (_name, id) => {
    expect(refusalOf(report({ type: 'photo', photo_id: id, image_type: 'package' }))).toMatchObject({
      code: '40403',
      message: 'photo_id is not the photo_id of a photo that this warehouse uploaded',
    });
    expect(refusalOf(report({ type: 'exception', reason: 'damaged', photo_ids: [photoId(), id] })).errors).toMatchObject([
      { field: 'photo_ids[1]', rule: 'unknown_photo' },
    ]);
  });

  test('names a photo of another warehouse than the trusted channel does', () => {
    const raw = weighing({ warehouse_code: 'WH2', photo_ids: [photoId()] });
    expect(refusalOf(raw, { warehouseCode: null }).code).toBe('40403');
  });

  test('names several errors in its message, and how many more there are', () => {
    expect(refusalOf({ type: 'dispatch' }).message).toMatch(/event_id is required.*occurred_at is required.*; and \d+ more$/);
  });

  test('is more than a day in the future', () => {
    const at = (ms: number): unknown => report({ occurred_at: new Date(NOW + ms).toISOString() });
    expect(judge(at(MAX_AHEAD_MS), context)).toHaveProperty('event');
    expect(refusalOf(at(MAX_AHEAD_MS + 1))).toMatchObject({
      code: '42201',
      message: 'occurred_at must not be more than 24 hours in the future',
    });
  });
});
