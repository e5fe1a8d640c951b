import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { contentOf, record } from '../testing/samples.ts';
import { type CorrectionAttempt, decideCorrection } from './decide-correction.ts';
import type { SubmittedForecast } from './known-forecast.ts';

const before: SubmittedForecast = { record: record('FC1'), content: contentOf('FC1'), corrections: [] };

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

const codeOf = (decide: () => unknown): string | undefined => {
  try {
    decide();
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error.code : String(error);
  }
};

describe('a correction', () => {
  test('makes the next version, with its entry, its content and its message', () => {
    const { after, change, replayed } = decideCorrection(before, attempt({}));
    expect(replayed).toBe(false);
    expect(after.record).toMatchObject({ contentVersion: 2, warehouseCode: 'WH2', updatedAt: 2000, status: 1 });
    expect(after.content).toEqual({ ...before.content, warehouse_code: 'WH2' });
    expect(after.corrections).toMatchObject([{ version: 2, at: 2000, keyId: 'key_1', request: null }]);
    expect(change?.content).toMatchObject({
      content: JSON.stringify(after.content),
      contentVersion: 2,
      warehouseCode: 'WH2',
      itemCount: 1,
    });
    expect(change?.message).toMatchObject({
      type: 'forecast.corrected',
      time: 2000,
      data: { forecast_no: 'FC1', version: 2, warehouse_code: 'WH2', previous_warehouse_code: 'WH1', changed: ['warehouse_code'] },
    });
  });

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

  test('meets the version that it names, or is refused', () => {
    expect(codeOf(() => decideCorrection(before, attempt({ condition: new Set(['"1"']) })))).toBeUndefined();
    expect(codeOf(() => decideCorrection(before, attempt({ condition: new Set(['"2"']) })))).toBe('41201');
  });

  test('is refused for its values, and after the parcel has arrived', () => {
    const refusal = new AppError('42201', 'The warehouse WH2 does not exist');
    expect(codeOf(() => decideCorrection(before, attempt({ refusal })))).toBe('42201');
    const arrived = { ...before, record: record('FC1', { status: 2 }) };
    expect(codeOf(() => decideCorrection(arrived, attempt({})))).toBe('40902');
  });
});
