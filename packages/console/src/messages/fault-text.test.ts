import { describe, expect, test } from '@jest/globals';
import { ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { ApiFailure } from '@parcelway/page/api/failure';
import { columnLabel, failureText, faultText, fieldLabel, inWords, linkFailureText, placeOf } from './failure-text.ts';
import { words } from './words.ts';

const { en, zh } = words;

const text = (field: string, message: string, label?: string): string => faultText({ field, message }, en, label);

describe('a fault', () => {
  test('is said without its field beside the label, and with the label elsewhere', () => {
    expect(text('po_number', 'is required')).toBe('Required');
    expect(text('items[0].forecast_quantity', 'must be at least 1')).toBe('Must be at least 1');
    expect(text('po_number', 'po_number is required', 'PO number')).toBe('PO number is required');
  });

  test('that is a sentence by itself is not given a subject', () => {
    const message = '"MOON1" is not a warehouse in use; GET /open/v1/warehouses lists them';
    expect(text('warehouse_code', message, 'Warehouse')).toBe('No warehouse in use has the code "MOON1"');
    expect(text('Order', 'Row 4 of the same forecast has an error', 'Order')).toBe('Row 4 of the same parcel has an error');
  });

  test('names no field, route or setting of the API where the page has words', () => {
    expect(text('shipping_label', 'is required for forecast_type 2, the default')).toBe('Required for direct mail');
    const url = 'must resolve to a public address; 10.0.0.1 is private, local or reserved';
    for (const hint of [
      'An operator can allow further networks with WEBHOOK_ALLOWED_NETWORKS',
      'To receive on your own machine, start the platform with WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8',
    ]) {
      expect(text('url', `${url}. ${hint}`)).toBe(`M${url.slice(1)}`);
    }
  });

  test('names other fields as the form does', () => {
    const message = 'The columns "Name" and "Item" both fill product_name_en; rename one of them, or ignore it with mapping';
    expect(text('Item', message)).toBe('The columns "Name" and "Item" both fill Product name (English). Rename one of them, or ignore it');
  });

  test('that is not known is said as the platform does', () => {
    expect(text('x', 'must be something new', 'x')).toBe('x must be something new');
  });
});

test('a field is named as in the form, with its item; one that forms do not have by its path', () => {
  expect(fieldLabel('items[1].sku_code', en)).toBe('Item 2 · SKU code');
  expect(fieldLabel('items[1]', en)).toBe('Item 2');
  expect(fieldLabel('shipping_label', en)).toBe('Shipping label');
  expect(fieldLabel('constructor', en)).toBe('constructor');
});

test('inside of a control, the entry or the name is said', () => {
  expect(placeOf('allowed_addresses[1]', en.faults)).toBe('Entry 2');
  expect(placeOf('headers.X-Shop', en.faults)).toBe('X-Shop');
  expect(placeOf('items[0].sku_code', en.faults)).toBeUndefined();
  expect(placeOf('url', en.faults)).toBeUndefined();
});

test('a column keeps its title, also when that is the name of a field; a missing one has the label of its field', () => {
  const columns = [{ title: 'po_number' }, { title: 'Menge' }];
  expect(columnLabel('po_number', columns, en)).toBe('po_number');
  expect(columnLabel('Menge', columns, en)).toBe('Menge');
  expect(columnLabel('shipping_label', columns, en)).toBe('Shipping label');
});

const said = (code: string, parts: ConstructorParameters<typeof ApiFailure>[1] = {}): string =>
  failureText(new ApiFailure(code, parts), en);

test('a missing permission names the scope; the wrong kind of key is another matter', () => {
  expect(said('40301', { detail: 'The API key lacks the scope webhooks:manage' })).toMatch(/with this scope: webhooks:manage$/);
  expect(said('40301', { detail: 'The API key must not be used from the address 192.0.2.1. Call from' })).toBe(en.failures.wrongAddress);
  expect(said('40301', { detail: 'This endpoint Sign in with the key of a tenant' })).toBe(en.failures.warehouseKey);
});

test('a link that opens nothing is no matter of a key', () => {
  const saidOfLink = (code: string): string => linkFailureText(new ApiFailure(code), en);
  expect(saidOfLink('40003')).toBe(`${en.link.failed} ${en.link.ended}`);
  expect(saidOfLink('40302')).toBe(`${en.link.failed} ${en.link.suspended}`);
  expect(saidOfLink('42901')).toContain('Too many requests');
});

test.each([
  ['is required', '为必填项'],
  ['is required for forecast_type 2, the default', '为必填项（直邮贴单）'],
  ['must be an integer, such as 12, without units and separators of thousands', '必须是整数，例如 12，不带单位和千位分隔符'],
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
  expect(inWords(sentence, zh)).toBe(chinese);
});

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
])('the platform says of %j what has a text', (body) => {
  const faults = validator.errors(body);
  expect(faults.length).toBeGreaterThan(0);
  const texts = faults.map((fault) => faultText(fault, zh, '字段'));
  expect(texts.filter((text) => /[a-z]{2}/.test(text.replaceAll(/https?:/g, '')))).toEqual([]);
});
