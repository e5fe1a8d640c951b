import { describe, expect, test } from '@jest/globals';
import type { ForecastCorrection } from '@parcelway/contracts/forecast-correction-api';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import { AppError } from '@parcelway/kernel/app-error';
import { type CorrectionAttempt, decideCorrection } from '../../submission/domain/decide-correction.ts';
import { contentOf, record } from '../../testing/samples.ts';
import type { CanonicalForecast, FieldDifference } from './canonical.ts';
import {
  type Correction,
  correct,
  MAX_CHANGES,
  MAX_CHANGES_BYTES,
  MAX_CORRECTIONS,
  MAX_CORRECTIONS_BYTES,
  withCorrection,
} from './correction.ts';
import type { WholeForecast } from './known-forecast.ts';
import { assertVersion, versionCondition } from './version-condition.ts';

const content: CanonicalForecast = {
  po_number: 'PO-1',
  forecast_type: 2,
  warehouse_code: 'WH1',
  due_date: '2026-12-24',
  shipping_label: 'https://a/1',
  shipping_note: 'https://a/2',
  carton_count: 2,
  items: [
    { sku_code: 'S1', product_name_en: 'Lamp', forecast_quantity: 1, tracking_number: 'AB12' },
    { sku_code: 'S2', product_name_en: 'Mug', forecast_quantity: 2 },
  ],
};

/** When the forecast was corrected. */
const at = (status: ForecastStatus, forecastType: 1 | 2 = 2) => ({ status, forecastType });

describe('a correction', () => {
  const statuses: readonly ForecastStatus[] = [1, 2, 3, 4, 5, 6, 7];

  const allowed = (forecastType: 1 | 2, correction: ForecastCorrection) =>
    statuses.filter((status) => {
      try {
        return correct(at(status, forecastType), { ...content, forecast_type: forecastType }, correction).changes.length === 1;
      } catch (error) {
        expect(error).toMatchObject({ code: '40902', data: { status } });
        return false;
      }
    });

  test.each<[keyof ForecastCorrection, ForecastCorrection]>([
    ['warehouse_code', { warehouse_code: 'WH2' }],
    ['due_date', { due_date: null }],
    ['carton_count', { carton_count: 1 }],
    ['items', { items: [content.items[0] as never] }],
  ])('of %s is possible until the parcel arrives', (_field, correction) => {
    expect(allowed(1, correction)).toEqual([1]);
    expect(allowed(2, correction)).toEqual([1]);
  });

  test.each<[keyof ForecastCorrection]>([['shipping_label'], ['shipping_note']])('of %s is possible until the parcel leaves', (field) => {
    expect(allowed(2, { [field]: 'https://a/9' })).toEqual([1, 2, 3, 4]);
    expect(allowed(1, { [field]: 'https://a/9' })).toEqual([1, 2, 3, 4]);
  });

  test('that changes nothing is possible in every status, whatever is wrong with its values', () => {
    const same: ForecastCorrection = {
      warehouse_code: 'WH1',
      due_date: '2026-12-24',
      shipping_label: 'https://a/1',
      items: [{ ...(content.items[0] as object), tracking_number: 'ab 12' } as never, content.items[1] as never],
    };
    const refusal = new AppError('42203');
    for (const status of statuses) expect(correct(at(status), content, same, refusal)).toEqual({ content, changes: [] });
    expect(() => correct(at(5), content, { ...same, due_date: null }, refusal)).toThrow(refusal);
  });
});

test('a refused correction says which field it is about, and what can still be corrected', () => {
  const still = /^The forecast is ARRIVED and due_date can no longer be corrected; only shipping_label and shipping_note can$/;
  expect(() => correct(at(2), content, { due_date: null })).toThrow(still);
  expect(() => correct(at(5), content, { shipping_note: 'https://a/9' })).toThrow(/shipping_note can no longer be corrected$/);
});

describe('the corrections of a forecast', () => {
  const change = (index: number, to = 'x'): FieldDifference => ({ field: `items[${index}].sku_code`, from: null, to });
  const many = (count: number, to?: string) => Array.from({ length: count }, (_, index) => change(index, to));
  const made = (version: number) => ({ version, at: version, keyId: 'key_1', request: null });

  test('keep 100 changes, and say that there are more', () => {
    const [one] = withCorrection([], made(2), many(MAX_CHANGES + 1));
    expect(one?.changes).toEqual(many(MAX_CHANGES));
    expect(one?.hasMoreChanges).toBe(true);
  });

  test('keep as many changes as have room', () => {
    const [one] = withCorrection([], made(2), many(MAX_CHANGES, '中'.repeat(500)));
    expect(Buffer.byteLength(JSON.stringify(one?.changes))).toBeLessThanOrEqual(MAX_CHANGES_BYTES + 100);
    expect(one?.changes.length).toBeGreaterThan(30);
    expect(one?.hasMoreChanges).toBe(true);
  });

  test('lose the oldest beyond 100', () => {
    let all: Correction[] = [];
    for (let version = 2; version < 2 + MAX_CORRECTIONS + 5; version += 1) all = withCorrection(all, made(version), many(1));
    expect(all.map(({ version }) => version)).toEqual(Array.from({ length: MAX_CORRECTIONS }, (_, index) => index + 7));
  });

  test('lose the oldest when they become too large', () => {
    let all: Correction[] = [];
    for (let version = 2; version < 22; version += 1) {
      all = withCorrection(all, made(version), many(MAX_CHANGES, '中'.repeat(200)));
      expect(Buffer.byteLength(JSON.stringify(all))).toBeLessThanOrEqual(MAX_CORRECTIONS_BYTES);
      expect(all.at(-1)?.version).toBe(version);
    }
    expect(all.length).toBeGreaterThan(2);
  });
});

const before: WholeForecast = { record: record('FC1'), content: contentOf('FC1'), corrections: [] };

/** The key `key_1` corrects at 2000, without a condition and without an idempotency key, unless stated otherwise. */
const attempt = (over: Partial<CorrectionAttempt>): CorrectionAttempt => ({
  correction: { warehouse_code: 'WH2' },
  condition: null,
  refusal: undefined,
  keyId: 'key_1',
  name: null,
  now: 2000,
  ...over,
});

describe('a correction', () => {
  test('leaves the claims alone unless the numbers change', () => {
    expect(decideCorrection(before, attempt({})).change?.content.claims).toBeNull();
    const items = [{ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 1, tracking_number: 'LP2' }];
    expect(decideCorrection(before, attempt({ correction: { items } })).change?.content.claims).toEqual(['LP2']);
  });

  test('that changes nothing makes no version', () => {
    expect(decideCorrection(before, attempt({ correction: { warehouse_code: 'WH1' } }))).toEqual({ after: before, replayed: false });
  });

  test('is made once under one name', () => {
    const { after } = decideCorrection(before, attempt({ name: 'request 1' }));
    expect(decideCorrection(after, attempt({ name: 'request 1', correction: { warehouse_code: 'WH3' } }))).toEqual({
      after,
      replayed: true,
    });
    expect(decideCorrection(after, attempt({ name: 'request 2', correction: { warehouse_code: 'WH3' } })).after.record.contentVersion).toBe(
      3,
    );
  });
});

const outcome = (header: string | undefined, version: number): string => {
  const read = versionCondition(header);
  if ('error' in read) return read.error.rule;
  try {
    assertVersion(read.condition, version);
    return 'met';
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
};

describe('If-Match', () => {
  test.each([
    [undefined, 'met'],
    ['*', 'met'],
    ['"3"', 'met'],
    ['"2", "3"', 'met'],
    [',, "3"', 'met'],
    ['"2"', '41201'],
    ['"a,b"', '41201'],
    ['""', '41201'],
    // A weak tag never matches here (RFC 9110, section 13.1.1).
    ['W/"3"', '41201'],
    ['W/"2", "3"', 'met'],
    ['', 'entity_tag'],
    [',', 'entity_tag'],
    ['3', 'entity_tag'],
    ['"3" "4"', 'entity_tag'],
    ['*, "3"', 'entity_tag'],
    ['w/"3"', 'entity_tag'],
  ])('%p of version 3 is %s', (header, expected) => {
    expect(outcome(header, 3)).toBe(expected);
  });

  test('of any text is read within a moment', () => {
    // A pattern that backtracks would not end.
    expect(outcome(`"3"${' ,'.repeat(8000)}x`, 3)).toBe('entity_tag');
    expect(outcome('"1" '.repeat(4000), 3)).toBe('entity_tag');
  });
});
