import { describe, expect, test } from '@jest/globals';
import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import { detailWith, itemWith } from '../testing/parcels.ts';
import { changesBetween } from './correction-changes.ts';

const before = detailWith({ items: [itemWith({ forecast_quantity: 2 })] });

describe('what a correction has changed', () => {
  const known = { forecast: before, detail: before };
  test.each<[Partial<WarehouseForecastDetail>, object[]]>([
    [{ shipping_label: 'https://example.com/other.pdf' }, [{ field: 'shipping_label' }]],
    [{ shipping_note: 'https://example.com/other.pdf' }, [{ field: 'shipping_note' }]],
    [{ due_date: '2026-12-01' }, [{ field: 'due_date', from: '–', to: '2026-12-01' }]],
    [{ carton_count: 3 }, [{ field: 'carton_count', from: '–', to: '3' }]],
    [{ tracking_numbers: ['SF9'] }, [{ field: 'tracking_numbers', from: 'SF123456', to: 'SF9' }]],
    [
      { items: [itemWith({ forecast_quantity: 1 }), itemWith({ sku_code: 'SKU-2', forecast_quantity: 4 })] },
      [
        { field: 'items', sku: 'SKU-1', from: '2', to: '1' },
        { field: 'items', sku: 'SKU-2', from: '0', to: '4' },
      ],
    ],
    [{ items: [itemWith({ forecast_quantity: 2, hs_code: '691200' })] }, [{ field: 'items' }]],
    [{}, [{ field: 'other' }]],
  ])('%j', (changes, expected) => {
    expect(changesBetween(known, { ...before, ...changes })).toEqual(expected);
  });

  test('is taken from the list where nothing else was known', () => {
    expect(changesBetween({ forecast: before }, { ...before, shipping_label: null, item_count: 2 })).toEqual([
      { field: 'items', from: '1', to: '2' },
    ]);
  });
});
