import { describe, expect, test } from '@jest/globals';
import type { ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import { canonicalForecast, contentHash, differences as differencesOf, trackingNumbersOf } from './canonical.ts';

const hashOf = (submission: ForecastSubmission) => contentHash(JSON.stringify(canonicalForecast(submission)));
const differences = (a: ForecastSubmission, b: ForecastSubmission) =>
  differencesOf(canonicalForecast(a), canonicalForecast(b), 1000).map(({ field }) => field);

/** The same content in other words: fields in another order, unknown fields, defaults written out, numbers respelled. */
function respelled(submission: ForecastSubmission): ForecastSubmission {
  const reversed = (value: object) => Object.fromEntries([['unknown', 1], ...Object.entries(value).reverse()]);
  return {
    forecast_type: 2,
    ...reversed(submission),
    items: submission.items.map((item) => ({
      ...reversed(item),
      ...(item.tracking_number !== undefined && { tracking_number: ` ${[...item.tracking_number.toLowerCase()].join('-')} ` }),
      ...(item.hs_code !== undefined && { hs_code: [...item.hs_code].join('.') }),
    })),
  } as unknown as ForecastSubmission;
}

test('logistics numbers are listed once each, in order', () => {
  const item = { sku_code: 'S', product_name_en: 'L', forecast_quantity: 1 };
  const items = [{ ...item, tracking_number: 'b-222' }, item, { ...item, tracking_number: 'A111' }, { ...item, tracking_number: 'B 222' }];
  expect(trackingNumbersOf(canonicalForecast({ po_number: 'P', warehouse_code: 'W', items }))).toEqual(['B222', 'A111']);
});

describe('of every field', () => {
  const item = {
    sku_code: 'S',
    barcode: '690',
    product_name_en: 'Lamp',
    product_name_cn: '灯',
    product_image: 'https://example.com/a.png',
    forecast_quantity: 2,
    forecast_price: 1.5,
    hs_code: '8513.10',
    tracking_number: 'ab-12',
    declared_weight_kg: 1.2,
    declared_length_cm: 30,
    declared_width_cm: 20,
    declared_height_cm: 10,
  };
  const whole: ForecastSubmission = {
    po_number: 'PO-1',
    forecast_type: 2,
    warehouse_code: 'WH1',
    due_date: '2026-12-24',
    shipping_label: 'https://example.com/1.pdf',
    shipping_note: 'https://example.com/2.pdf',
    carton_count: 2,
    items: [item],
  };

  const optional = ['due_date', 'shipping_label', 'shipping_note', 'carton_count'] as const;

  test('the canonical form is its own, before and after it is stored as JSON', () => {
    const canonical = canonicalForecast(whole);
    expect(canonicalForecast(canonical as ForecastSubmission)).toEqual(canonical);
    expect(canonicalForecast(JSON.parse(JSON.stringify(canonical)))).toEqual(canonical);
  });

  test('the canonical form does not depend on how the content is written', () => {
    const priced = (forecast_price: number): ForecastSubmission => ({ ...whole, items: [{ ...item, forecast_price }] });
    for (const [one, other] of [
      [whole, respelled(whole)],
      [priced(0), priced(-0)],
    ] as const) {
      expect(hashOf(other)).toBe(hashOf(one));
      expect(differences(one, other)).toEqual([]);
    }
  });

  test.each<[string, ForecastSubmission]>([
    ...(['po_number', 'warehouse_code', ...optional] as const).map((name): [string, ForecastSubmission] => [
      name,
      { ...whole, [name]: 'x' },
    ]),
    ...optional.map((name): [string, ForecastSubmission] => [name, { ...whole, [name]: undefined }]),
    ['forecast_type', { ...whole, forecast_type: 1 }],
    ...Object.keys(item).map((name): [string, ForecastSubmission] => [`items[0].${name}`, { ...whole, items: [{ ...item, [name]: 'x' }] }]),
  ])('a change of %s changes the fingerprint, and is named either way', (name, other) => {
    expect(hashOf(other)).not.toBe(hashOf(whole));
    expect([differences(whole, other), differences(other, whole)]).toEqual([[name], [name]]);
  });

  test('the canonical form keeps the content', () => {
    expect(canonicalForecast(whole)).toEqual({ ...whole, items: [{ ...item, hs_code: '851310', tracking_number: 'AB12' }] });
  });

  test('a difference is named, up to the limit', () => {
    const other = { ...whole, due_date: '2027-01-01', items: [{ ...item, product_name_cn: '台灯', forecast_price: 2 }, item] };
    const [a, b] = [canonicalForecast(whole), canonicalForecast(other)];
    const all = ['due_date', 'items[0].product_name_cn', 'items[0].forecast_price', 'items[1]'];
    for (let limit = 1; limit <= all.length; limit += 1) {
      expect(differencesOf(a, b, limit).map(({ field }) => field)).toEqual(all.slice(0, limit));
    }
    expect(differencesOf(b, a, 10)).toEqual([
      { field: 'due_date', from: '2027-01-01', to: '2026-12-24' },
      { field: 'items[0].product_name_cn', from: '台灯', to: '灯' },
      { field: 'items[0].forecast_price', from: '2', to: '1.5' },
      { field: 'items[1]', from: 'S', to: null },
    ]);
  });
});
