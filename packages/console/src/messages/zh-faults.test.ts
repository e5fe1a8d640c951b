import { describe, expect, test } from '@jest/globals';
import { ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { faultText } from './fault-text.ts';
import { zh } from './zh.ts';

const { faults: words } = zh;

test.each([
  ['is required', '为必填项'],
  ['is required for forecast_type 2, the default', '为必填项（直邮贴单）'],
  ['must be at least 1', '不能小于 1'],
  ['must be an integer, such as 12, without units and separators of thousands', '必须是整数，例如 12，不带单位和千位分隔符'],
  ['must have at most 64 characters', '最多 64 个字符'],
  ['must be 2000-01-01 or later', '不能早于 2000-01-01'],
  ['"MOON1" is not a warehouse in use; GET /open/v1/warehouses lists them', '没有代码为 "MOON1" 的在用仓库'],
  [
    'must resolve to a public address; 10.0.0.1 is private, local or reserved. An operator can allow further networks with WEBHOOK_ALLOWED_NETWORKS',
    '必须指向公网地址；10.0.0.1 是内部或保留地址',
  ],
  [
    'The columns "品名" and "产品名称" both fill product_name_cn; rename one of them, or ignore it with mapping',
    '列 "品名" 和 "产品名称" 都对应字段 product_name_cn，请重命名其中一列或将其忽略',
  ],
  ['The column 备注 is ignored: no field has this title', '列“备注”已忽略：没有同名的字段'],
  ['Page 2 is 200 × 90 mm and differs from page 1. The pages of a label have one size', '第 2 页的尺寸为 200 × 90 mm，与第 1 页不同。'],
  ['A forecast with this 订单号 was cancelled; this submits it again', '该单号的包裹曾被取消，提交后会重新创建'],
  ['Row 4 of the same forecast has an error', '同一包裹的第 4 行有错误'],
])('%s is said as %s', (sentence, chinese) => {
  expect(words.say(sentence)).toBe(chinese);
});

test('what has no text is said as the platform does', () => {
  expect(words.say('must be something new')).toBe('must be something new');
});

describe('the platform', () => {
  const validator = compileValidator(ForecastSubmission);
  const item = { sku_code: 'S', product_name_en: 'P', forecast_quantity: 1 };
  const good = { po_number: 'PO', forecast_type: 1, warehouse_code: 'WH', items: [item] };
  const withItem = (part: object) => ({ ...good, items: [{ ...item, ...part }] });
  test.each([
    [{}],
    [{ ...good, items: [] }],
    [{ ...good, items: [{}] }],
    [{ ...good, po_number: '' }],
    [{ ...good, po_number: ' PO' }],
    [{ ...good, forecast_type: 3 }],
    [{ ...good, carton_count: 0 }],
    [{ ...good, carton_count: 'many' }],
    [{ ...good, due_date: '2026-02-31' }],
    [{ ...good, due_date: '1999-01-01' }],
    [{ ...good, due_date: '2101-01-01' }],
    [withItem({ forecast_quantity: 1.5 })],
    [withItem({ forecast_price: 0.00001 })],
    [withItem({ forecast_price: 'cheap' })],
    [withItem({ declared_weight_kg: 0 })],
    [withItem({ product_name_cn: 'x'.repeat(501) })],
    [withItem({ product_name_en: '' })],
    [withItem({ product_image: 'none' })],
    [withItem({ hs_code: 'none' })],
    [withItem({ tracking_number: 'x' })],
  ])('says of %j what has a text', (body) => {
    const faults = validator.errors(body);
    expect(faults.length).toBeGreaterThan(0);
    const texts = faults.map((fault) => faultText(fault, zh, '字段'));
    expect(texts.filter((text) => /[a-z]{2}/.test(text.replaceAll(/https?:/g, '')))).toEqual([]);
  });
});
