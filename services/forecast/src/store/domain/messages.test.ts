import { describe, expect, test } from '@jest/globals';
import { MAX_ITEMS_IN_EVENT_BYTES } from '@parcelway/contracts/domain-events';
import { contentOf, record } from '../../testing/samples.ts';
import { contentData } from './messages.ts';

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
});
