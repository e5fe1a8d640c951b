import { describe, expect, test } from '@jest/globals';
import type { ForecastCorrection } from '@parcelway/contracts/forecast-correction-api';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import { AppError } from '@parcelway/kernel/app-error';
import { at, content } from '../testing/correction-samples.ts';
import { correct } from './correction.ts';

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

  test('that names a field which is too late is refused as a whole', () => {
    expect(() => correct(at(3), content, { shipping_label: 'https://a/9', due_date: null })).toThrow(
      expect.objectContaining({ code: '40902', data: { status: 3, status_name: 'WEIGHED' } }),
    );
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
