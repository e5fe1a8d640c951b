import { describe, expect, test } from '@jest/globals';
import { arrivedAt, differingFirst, linkedKind, measuresOf } from './findings.ts';

describe('weight and volume', () => {
  const unknown = { weight_kg: null, volume_cm3: null };
  const nothing = { declared: unknown, measured: unknown, difference: unknown, volumetric_weight_kg: null, chargeable_weight_kg: null };

  test('of what is neither declared nor measured show nothing', () => {
    expect(measuresOf(nothing)).toEqual([]);
  });

  test('of what is declared in part show that part alone', () => {
    expect(measuresOf({ ...nothing, declared: { weight_kg: 1.2, volume_cm3: null } })).toEqual([
      { name: 'declared', weight: 1.2, volume: null },
    ]);
  });

  test('are in the order in which one is computed from the other', () => {
    const forecast = {
      declared: { weight_kg: 1.2, volume_cm3: 3000 },
      measured: { weight_kg: 1.2, volume_cm3: 6000 },
      difference: { weight_kg: 0, volume_cm3: 3000 },
      volumetric_weight_kg: 1,
      chargeable_weight_kg: 1.2,
    };
    expect(measuresOf(forecast)).toEqual([
      { name: 'declared', weight: 1.2, volume: 3000 },
      { name: 'measured', weight: 1.2, volume: 6000 },
      { name: 'difference', weight: 0, volume: 3000 },
      { name: 'volumetric', weight: 1, volume: null },
      { name: 'chargeable', weight: 1.2, volume: null },
    ]);
  });
});

test('what differs from the forecast comes first, else in the order of the forecast', () => {
  const counted = [0, -1, 0, 4].map((difference, index) => ({ difference, index }));
  expect(differingFirst(counted).map(({ index }) => index)).toEqual([1, 3, 0, 2]);
});

test('a correction that an arrival made names the warehouse', () => {
  expect(arrivedAt({ changes: [{ field: 'warehouse_code', from: 'SZ01', to: 'GZ01' }] })).toBe('GZ01');
  expect(arrivedAt({ changes: [{ field: 'due_date', from: null, to: '2026-12-01' }] })).toBeNull();
});

test('a changed value leads to its file where it is the URL of one', () => {
  expect(linkedKind('shipping_label', 'https://platform.example/files/a.pdf')).toBe('pdf');
  expect(linkedKind('items[2].product_image', 'https://shop.example/lamp.png')).toBe('image');
  expect(linkedKind('shipping_label', 'javascript:alert(1)')).toBeUndefined();
  expect(linkedKind('due_date', 'https://platform.example/')).toBeUndefined();
  expect(linkedKind('constructor', 'https://platform.example/')).toBeUndefined();
});
