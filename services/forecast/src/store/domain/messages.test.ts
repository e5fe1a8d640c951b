import { describe, expect, test } from '@jest/globals';
import { MAX_ITEMS_IN_EVENT_BYTES } from '@parcelway/contracts/domain-events';
import { contentOf, record } from '../../testing/samples.ts';
import { acceptedMessage, cancelledMessage, contentData, correctedMessage } from './messages.ts';

const forecast = record('FC1', { dueDate: '2026-12-24' });

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
