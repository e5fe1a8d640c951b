import { describe, expect, test } from '@jest/globals';
import type { ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import fc from 'fast-check';
import { canonicalForecast, contentHash, differences as differencesOf, trackingNumbersOf } from './canonical.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'B', '7', 'é', '中', ' ', '"', '\\', '.') });
const words = (min: number, max: number) => text.filter((value) => value.length >= min && value.length <= max);
const identifiers = (min: number, max: number) => words(min, max).filter((value) => value === value.trim());
const itemArbitrary = fc.record(
  {
    sku_code: identifiers(1, 20),
    barcode: identifiers(0, 20),
    product_name_en: words(1, 20).filter((value) => value.trim() !== ''),
    product_name_cn: words(0, 20),
    product_image: fc.constantFrom('https://example.com/a.png', 'http://example.com/b.png'),
    forecast_quantity: fc.integer({ min: 1, max: 500000 }),
    forecast_price: fc.oneof(
      fc.constant(0),
      fc.constant(-0),
      fc.integer({ min: 0, max: 999_999_999_999 }).map((price) => price / 10_000),
    ),
    hs_code: fc.constantFrom('851310', '8513.10', '8513 10 00', '85.13.10.00.1'),
    tracking_number: fc.constantFrom('AB12', 'ab-12', ' a b 1 2', 'ZZ-9999', 'zz9999'),
    declared_weight_kg: fc.constantFrom(0.1, 25),
    declared_length_cm: fc.constantFrom(0.1, 120),
    declared_width_cm: fc.constantFrom(0.1, 120),
    declared_height_cm: fc.constantFrom(0.1, 120),
  },
  { requiredKeys: ['sku_code', 'product_name_en', 'forecast_quantity'], noNullPrototype: true },
);
const submissionArbitrary = fc.record(
  {
    po_number: fc.constantFrom('PO-1', 'po-1', 'ä/1'),
    forecast_type: fc.constantFrom(1, 2),
    warehouse_code: fc.constantFrom('WH1', 'WH2'),
    due_date: fc.constantFrom('2026-12-24', '2027-01-01'),
    shipping_label: fc.constantFrom('https://example.com/1.pdf', 'https://example.com/2.pdf'),
    shipping_note: fc.constantFrom('https://example.com/3.pdf'),
    carton_count: fc.constantFrom(1, 2),
    items: fc.array(itemArbitrary, { minLength: 1, maxLength: 5 }),
  },
  { requiredKeys: ['po_number', 'warehouse_code', 'shipping_label', 'shipping_note', 'items'], noNullPrototype: true },
) as fc.Arbitrary<ForecastSubmission>;

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

describe('the canonical form', () => {
  test('is its own canonical form, before and after it is stored as JSON', () => {
    fc.assert(
      fc.property(submissionArbitrary, (submission) => {
        const canonical = canonicalForecast(submission);
        expect(canonicalForecast(canonical as ForecastSubmission)).toEqual(canonical);
        expect(canonicalForecast(JSON.parse(JSON.stringify(canonical)))).toEqual(canonical);
      }),
    );
  });

  test('does not depend on how the content is written', () => {
    fc.assert(
      fc.property(submissionArbitrary, (submission) => {
        expect(hashOf(respelled(submission))).toBe(hashOf(submission));
        expect(differences(submission, respelled(submission))).toEqual([]);
      }),
    );
  });

  test('has the same fingerprint exactly when no field differs, and differences are symmetric', () => {
    fc.assert(
      fc.property(submissionArbitrary, submissionArbitrary, (a, b) => {
        expect(differences(a, b).length === 0).toBe(hashOf(a) === hashOf(b));
        expect(differences(a, b).sort()).toEqual(differences(b, a).sort());
      }),
    );
  });
});

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
