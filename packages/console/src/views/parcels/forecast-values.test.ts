import { describe, expect, test } from '@jest/globals';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { ForecastItem } from '@parcelway/contracts/forecast-submission-api';
import {
  correctable,
  correctionOf,
  EMPTY_ITEM,
  type ForecastValues,
  lastFaultyItem,
  mergedValues,
  NEW_FORECAST,
  requiredItemFields,
  submissionOf,
  valuesOfForecast,
} from './forecast-values.ts';
import {
  arrivedAt,
  differingFirst,
  FIRST_SIMULATION,
  firstSimulation,
  hasText,
  isOutOfTurn,
  linkedKind,
  measuresOf,
  simulationOf,
  simulationSteps,
} from './parcel-values.ts';

test('the form of an item requires what the contract does', () => {
  expect([...requiredItemFields].sort()).toEqual([...ForecastItem.required].sort());
});

const item = { ...EMPTY_ITEM, sku_code: ' LAMP ', product_name_en: 'Lamp', forecast_quantity: '3' };

describe('a submission', () => {
  test('keeps text that is not a number, so that the platform names the field', () => {
    expect(submissionOf({ ...NEW_FORECAST, items: [{ ...item, forecast_quantity: 'three' }] }).items[0]?.forecast_quantity).toBe('three');
  });

  test('of an empty form has empty texts where something is required', () => {
    expect(submissionOf(NEW_FORECAST)).toEqual({ po_number: '', forecast_type: 2, warehouse_code: '', items: [{}] });
  });
});

const forecast = {
  po_number: 'PO-1',
  forecast_type: 2,
  warehouse_code: 'WH',
  due_date: '2026-12-01',
  carton_count: null,
  shipping_label: 'https://x/a.pdf',
  shipping_note: 'https://x/b.pdf',
  items: [{ sku_code: 'LAMP', product_name_en: 'Lamp', forecast_quantity: 3 }],
} as ForecastDetail;

describe('a correction', () => {
  const values = valuesOfForecast(forecast);

  test('of nothing is empty', () => {
    expect(correctionOf(values, forecast)).toEqual({});
  });

  test('has only what is different, and null for what was removed', () => {
    const changed = { ...values, due_date: '', carton_count: '4', shipping_label: 'https://x/c.pdf ' };
    expect(correctionOf(changed, forecast)).toEqual({ due_date: null, carton_count: 4, shipping_label: 'https://x/c.pdf' });
  });

  test('has all items when one is different', () => {
    const changed = { ...values, items: [...values.items, item] };
    expect(correctionOf(changed, forecast).items?.map(({ sku_code }) => sku_code)).toEqual(['LAMP', 'LAMP']);
  });
});

test.each([
  [1, 'all'],
  [2, 'documents'],
  [4, 'documents'],
  [5, 'nothing'],
  [7, 'nothing'],
])('in status %i, %s can be corrected', (status, what) => {
  expect(correctable(status)).toBe(what);
});

test('the last item with a fault is the one that has to be on view', () => {
  expect(lastFaultyItem(['po_number', 'items[3].sku_code', 'items[12]', 'items[2].x'])).toBe(12);
  expect([lastFaultyItem(['items']), lastFaultyItem([])]).toEqual([-1, -1]);
});

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

const lamp = { ...EMPTY_ITEM, sku_code: 'LAMP', forecast_quantity: '3' };
const chair = { ...EMPTY_ITEM, sku_code: 'CHAIR', forecast_quantity: '1' };

const before: ForecastValues = {
  ...NEW_FORECAST,
  po_number: 'PO-1',
  warehouse_code: 'WH',
  due_date: '2026-12-01',
  carton_count: '2',
  items: [lamp],
};

test('a field that was left as it was takes the value of now, and any other keeps its entry', () => {
  const now = { ...before, carton_count: '9', due_date: '', warehouse_code: 'B' };
  const { values, changes } = mergedValues(before, now, { ...before, carton_count: '5', due_date: '2026-12-24' });
  expect(values).toEqual({ ...before, warehouse_code: 'B', carton_count: '5', due_date: '2026-12-24' });
  expect(changes).toEqual([
    { field: 'warehouse_code', from: 'WH', to: 'B' },
    { field: 'due_date', from: '2026-12-01', to: null, entered: '2026-12-24' },
    { field: 'carton_count', from: '2', to: '9', entered: '5' },
  ]);
});

test('the same value entered twice overwrites nothing', () => {
  const now = { ...before, carton_count: '9' };
  expect(mergedValues(before, now, { ...before, carton_count: ' 9' }).changes).toEqual([{ field: 'carton_count', from: '2', to: '9' }]);
});

describe('items', () => {
  test('are merged field by field while they are the same ones', () => {
    const now = { ...before, items: [{ ...lamp, forecast_quantity: '7', forecast_price: '2' }] };
    const { values, changes } = mergedValues(before, now, { ...before, items: [{ ...lamp, forecast_quantity: '8', barcode: '1' }] });
    expect(values.items).toEqual([{ ...lamp, forecast_quantity: '8', forecast_price: '2', barcode: '1' }]);
    expect(changes).toEqual([
      { field: 'items[0].forecast_quantity', from: '3', to: '7', entered: '8' },
      { field: 'items[0].forecast_price', from: null, to: '2' },
    ]);
  });

  test('that came, went or moved are never mixed: the entered ones stay as a whole', () => {
    const two = { ...before, items: [lamp, chair] };
    const mine = [{ ...lamp, forecast_quantity: '8' }, chair];
    const { values, changes } = mergedValues(two, { ...two, items: [chair, lamp] }, { ...two, items: mine });
    expect(values.items).toEqual(mine);
    expect(changes).toEqual([{ field: 'items', from: '2', to: '2', entered: '2' }]);
  });

  test('that were left as they were are those of now', () => {
    const now = { ...before, items: [chair, lamp] };
    expect(mergedValues(before, now, { ...before, carton_count: '5' })).toEqual({
      values: { ...now, carton_count: '5' },
      changes: [{ field: 'items', from: '1', to: '2' }],
    });
  });
});

test('after an arrival only the documents keep the entries', () => {
  const entered = { ...before, carton_count: '5', shipping_label: 'https://x/a.pdf', items: [chair] };
  const { values, changes } = mergedValues(before, { ...before, carton_count: '9' }, entered, 'documents');
  expect(values).toEqual({ ...before, carton_count: '9', shipping_label: 'https://x/a.pdf' });
  expect(changes).toEqual([{ field: 'carton_count', from: '2', to: '9' }]);
});

test.each([
  ['arrive', {}],
  ['weigh', { weight_kg: 1.25, length_cm: 30, width_cm: 20, height_cm: 10 }],
  ['track', { admin_status: 'In Transit', content: 'On its way' }],
  ['hold', { hold_reason: 'On its way' }],
  ['release', {}],
] as const)('%s has what belongs to it', (step, fields) => {
  expect(simulationOf('PO-1', { ...FIRST_SIMULATION, step, text: ' On its way ' })).toEqual({ po_number: 'PO-1', step, ...fields });
});

test.each([
  [1, 2, 'arrive'],
  [3, 2, 'process'],
  [4, 1, 'put_away'],
  [4, 2, 'dispatch'],
  [7, 2, 'arrive'],
])('for status %d and type %d the step that comes next is chosen', (status, forecast_type, step) => {
  expect(firstSimulation({ status, forecast_type } as Parameters<typeof firstSimulation>[0]).step).toBe(step);
});

test('what would be refused is out of turn', () => {
  const steps = (status: number, on_hold: boolean) => simulationSteps.filter((step) => isOutOfTurn(step, { status, on_hold } as never));
  expect([steps(1, false), steps(5, true)]).toEqual([['track', 'release'], []]);
});

test('a measure that is no number goes as it is typed, an empty one not at all', () => {
  const measures = { ...FIRST_SIMULATION.measures, weight_kg: 'heavy', length_cm: '' };
  expect(simulationOf('PO-1', { ...FIRST_SIMULATION, step: 'weigh', measures })).toMatchObject({ weight_kg: 'heavy', width_cm: 20 });
  expect(simulationOf('PO-1', { ...FIRST_SIMULATION, step: 'weigh', measures })).not.toHaveProperty('length_cm');
  expect([hasText('exception'), hasText('dispatch')]).toEqual([true, false]);
});
