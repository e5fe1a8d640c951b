import { describe, expect, test } from '@jest/globals';
import type { ForecastCorrection } from '@parcelway/contracts/forecast-correction-api';
import { at, content, fieldsOf } from '../testing/correction-samples.ts';
import { correct } from './correction.ts';

describe('a correction', () => {
  test('replaces what it names and keeps the rest', () => {
    const items = [{ ...(content.items[0] as object), tracking_number: 'cd-34' }] as unknown as ForecastCorrection['items'];
    const after = correct(at(1), content, { due_date: '2027-01-01', items: items as NonNullable<typeof items> });
    expect(after.content).toEqual({
      ...content,
      due_date: '2027-01-01',
      items: [{ ...content.items[0], tracking_number: 'CD34' }],
    });
    expect(after.changes).toEqual([
      { field: 'due_date', from: '2026-12-24', to: '2027-01-01' },
      { field: 'items[0].tracking_number', from: 'AB12', to: 'CD34' },
      { field: 'items[1]', from: 'S2', to: null },
    ]);
  });

  test('removes what it names with null', () => {
    const after = correct(at(1), content, { due_date: null, carton_count: null });
    expect(Object.keys(after.content)).toEqual(Object.keys(content).filter((name) => name !== 'due_date' && name !== 'carton_count'));
    expect(after.changes).toEqual([
      { field: 'due_date', from: '2026-12-24', to: null },
      { field: 'carton_count', from: '2', to: null },
    ]);
  });

  test('ignores fields that it does not know, those of the forecast that are fixed included', () => {
    expect(correct(at(1), content, { colour: 'red', po_number: 'X' } as ForecastCorrection).content).toEqual(content);
  });

  test('of every field is named', () => {
    const all: ForecastCorrection = {
      warehouse_code: 'WH2',
      due_date: '2027-01-01',
      shipping_label: 'https://a/3',
      shipping_note: 'https://a/4',
      carton_count: 3,
      items: [content.items[1] as never, content.items[1] as never],
    };
    expect(fieldsOf(all)).toEqual([
      'warehouse_code',
      'due_date',
      'shipping_label',
      'shipping_note',
      'carton_count',
      'items[0].sku_code',
      'items[0].product_name_en',
      'items[0].forecast_quantity',
      'items[0].tracking_number',
    ]);
  });
});
