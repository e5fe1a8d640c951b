import { describe, expect, test } from '@jest/globals';
import { context } from '../../testing/judging.ts';
import { PHOTO, photoId, report } from '../../testing/samples.ts';
import { judge } from './judge.ts';

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

  test("takes a dispatch, the carrier's number normalised", () => {
    const raw = report({ type: 'dispatch', carrier_code: 'dhl', tracking_number: 'jd 0146-00003' });
    expect(judge(raw, context)).toMatchObject({
      event: { detail: { type: 'dispatch', carrierCode: 'dhl', trackingNumber: 'JD014600003' } },
    });
  });
});
