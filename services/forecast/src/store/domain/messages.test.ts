import { describe, expect, test } from '@jest/globals';
import { MAX_HOLDS_IN_EVENT, MAX_ITEMS_IN_EVENT_BYTES } from '@parcelway/contracts/domain-events';
import { contentOf, record } from '../../testing/samples.ts';
import type { Notice } from './fact.ts';
import { acceptedMessage, cancelledMessage, contentData, correctedMessage, holdingData, noticeMessage } from './messages.ts';

const forecast = record('FC1', { dueDate: '2026-12-24' });
const report = { warehouseCode: 'WH1', eventId: 'e1', expressNo: null, occurredAt: '2026-11-21T16:00:00+08:00', occurredAtMs: 1 };
const hold = (heldAt: string, releasedAt: string | null) => ({ reason: 'Customs', heldAt, releasedAt });

describe('the messages of a forecast', () => {
  test('leave out items that are too large for an event', () => {
    const [item] = contentOf('FC1').items;
    const items = Array.from({ length: 200 }, (_, n) => ({
      sku_code: `SKU-${n}`,
      forecast_quantity: 1,
      product_name_en: 'x'.repeat(MAX_ITEMS_IN_EVENT_BYTES / 200),
    }));
    expect(item).toBeDefined();
    expect(contentData(forecast, contentOf('FC1', { items }))).toMatchObject({ item_count: 200, items: null });
  });

  test('are of the moment of what they announce', () => {
    expect(acceptedMessage(forecast, contentOf('FC1'))).toMatchObject({ type: 'forecast.accepted', time: 1000 });
    expect(cancelledMessage(forecast, 3000)).toEqual({
      type: 'forecast.cancelled',
      time: 3000,
      data: { forecast_no: 'FC1', po_number: 'PO-FC1', cancelled_at: '1970-01-01T00:00:03.000+00:00' },
    });
    const change = { changed: ['due_date'], previousWarehouseCode: 'WH0' };
    expect(correctedMessage(forecast, contentOf('FC1'), change, 2000)).toMatchObject({
      type: 'forecast.corrected',
      time: 2000,
      data: { changed: ['due_date'], previous_warehouse_code: 'WH0', status: 1, corrected_at: '1970-01-01T00:00:02.000+00:00' },
    });
  });
});

test('holds are cut to what an event takes, and say whether one of them holds', () => {
  const holds = Array.from({ length: MAX_HOLDS_IN_EVENT + 1 }, (_, n) => hold(`at ${n}`, n === 0 ? null : 'later'));
  const data = holdingData({ holds, holdReports: 7 });
  expect(data).toMatchObject({ hold_reports: 7, on_hold: true });
  expect(data.holds).toHaveLength(MAX_HOLDS_IN_EVENT);
  expect(data.holds[0]).toEqual({ reason: 'Customs', held_at: 'at 0', released_at: null });
  expect(holdingData({ holds: [hold('at 0', 'later')], holdReports: 2 }).on_hold).toBe(false);
});

test.each<[string, Notice, string, object]>([
  [
    'a count',
    { kind: 'put_away', status: 6, report, receivedItems: [{ skuCode: 'SKU-1', quantity: 2 }] },
    'parcel.put_away',
    { received_items: [{ sku_code: 'SKU-1', quantity: 2 }] },
  ],
  [
    'a dispatch with sealed details',
    {
      kind: 'dispatched',
      status: 5,
      dispatch: { carrierCode: 'sim', trackingNumber: 'SIM1', dispatchedAt: 'then', dispatchedAtMs: 1 },
      sealedDetails: 's1.k.AAAA',
    },
    'forecast.dispatched',
    { carrier_code: 'sim', tracking_number: 'SIM1', dispatched_at: 'then', sealed_details: 's1.k.AAAA' },
  ],
])('%s is announced', (_what, notice, type, data) => {
  const message = noticeMessage(forecast, notice, 5000);
  expect(message).toMatchObject({ type, time: 5000, data });
  expect(message.data).toMatchObject({ forecast_no: 'FC1', po_number: 'PO-FC1', status: notice.status });
});
