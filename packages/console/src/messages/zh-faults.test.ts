import { describe, expect, test } from '@jest/globals';
import { ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { faultInChinese } from './zh-faults.ts';

test.each([
  ['po_number is required', 'po_number 为必填项'],
  ['is required', '为必填项'],
  ['数量 must be at least 1', '数量 不能小于 1'],
  ['must have at most 64 characters', '最多 64 个字符'],
  [
    'The columns "品名" and "产品名称" both fill product_name_cn; rename one of them, or ignore it with mapping',
    '列 "品名" 和 "产品名称" 都对应字段 product_name_cn，请重命名其中一列或将其忽略',
  ],
  ['Row 4 of the same forecast has an error', '同一包裹的第 4 行有错误'],
])('%s is said as %s', (message, chinese) => {
  expect(faultInChinese(message)).toBe(chinese);
});

test('what has no text is said as the platform does', () => {
  expect(faultInChinese('url must resolve to a public address')).toBe('url must resolve to a public address');
});

describe('the platform', () => {
  const validator = compileValidator(ForecastSubmission);
  const good = {
    po_number: 'PO',
    forecast_type: 1,
    warehouse_code: 'WH',
    items: [{ sku_code: 'S', product_name_en: 'P', forecast_quantity: 1 }],
  };
  test.each([
    [{ ...good, items: [] }],
    [{ ...good, forecast_type: 3 }],
    [{ ...good, carton_count: 0 }],
    [{ ...good, carton_count: 'many' }],
    [{ ...good, items: [{ ...good.items[0], forecast_price: 0.00001 }] }],
    [{ ...good, items: [{ ...good.items[0], declared_weight_kg: 0 }] }],
    [{ ...good, items: [{ ...good.items[0], product_name_cn: 'x'.repeat(501) }] }],
  ])('says of %j what has a text', (body) => {
    const messages = validator.errors(body).map(({ message }) => message);
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.filter((message) => faultInChinese(message) === message)).toEqual([]);
  });
});
