import { describe, expect, test } from '@jest/globals';
import { openShipmentDetails } from '@parcelway/contracts/shipment-details';
import { context, refusalOf, sealer } from '../../testing/judging.ts';
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
