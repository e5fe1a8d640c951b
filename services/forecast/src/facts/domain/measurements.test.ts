import { describe, expect, test } from '@jest/globals';
import { isoInstant } from '@parcelway/kernel/clock';
import fc from 'fast-check';
import { measuresOf } from '../../lists/domain/chargeable-weight.ts';
import { receivedDifferences } from '../../lists/domain/received.ts';
import { initialProgress, type Measurement } from '../../store/domain/forecast.ts';
import { placed } from '../../store/domain/kept-list.ts';
import { measurementAt, photo } from '../../testing/samples.ts';
import { withWeighing } from './advance.ts';

const parcel = (length_cm: number, width_cm: number, height_cm: number, weight_kg: number): Measurement =>
  measurementAt(0, { length_cm, width_cm, height_cm, weight_kg });

const item = (forecast_quantity: number, weight?: number, ...size: readonly number[]) => ({
  forecast_quantity,
  ...(weight !== undefined && { declared_weight_kg: weight }),
  ...(size[0] !== undefined && { declared_length_cm: size[0] }),
  ...(size[1] !== undefined && { declared_width_cm: size[1] }),
  ...(size[2] !== undefined && { declared_height_cm: size[2] }),
});

describe('what is declared', () => {
  test.each([
    ['of one item', [item(3, 0.25, 10, 20, 5)], 0.75, 3000],
    ['of several items is added', [item(3, 0.25, 10, 20, 5), item(2, 1.5, 1, 1, 1)], 3.75, 3002],
    ['without decimals of binary sums', [item(3, 0.1, 0.1, 0.1, 0.1)], 0.3, 0.003],
    ['by no item', [item(1)], null, null],
    ['by one item of two', [item(1, 1, 1, 1, 1), item(1)], null, null],
    ['as weight alone', [item(4, 0.5)], 2, null],
    ['as size alone', [{ forecast_quantity: 4, declared_length_cm: 1, declared_width_cm: 2, declared_height_cm: 3 }], null, 24],
    ['as two of three dimensions', [item(1, 1, 2, 3)], 1, null],
    ['at most', [item(500_000, 100_000, 10_000, 10_000, 10_000)], 5e10, 5e17],
  ])('%s', (_name, items, weight_kg, volume_cm3) => {
    expect(measuresOf({ items }, [], 5000)).toEqual({
      declared: { weight_kg, volume_cm3 },
      measured: { weight_kg: null, volume_cm3: null },
      difference: { weight_kg: null, volume_cm3: null },
      volumetric_weight_kg: null,
      chargeable_weight_kg: null,
    });
  });
});

describe('what is measured', () => {
  test.each<[string, Measurement, number, number, number, number, number]>([
    ['heavy for its size', parcel(32.5, 24, 11.2, 2.415), 5000, 2.415, 8736, 1.747, 2.415],
    ['light for its size', parcel(50, 40, 30, 2), 5000, 2, 60_000, 12, 12],
    ['of another divisor', parcel(50, 40, 30, 2), 6000, 2, 60_000, 10, 10],
    ['of a weight between two grams, a little less in binary', parcel(1, 1, 1, 0.5005), 5000, 0.501, 1, 0, 0.501],
    ['of a volumetric weight between two grams', parcel(10, 10, 50.025, 0.1), 5000, 0.1, 5002.5, 1.001, 1.001],
    ['lighter than a gram', parcel(0.1, 0.1, 0.1, 0.0004), 5000, 0, 0.001, 0, 0],
    ['as large as can be', parcel(10_000, 10_000, 10_000, 100_000), 1000, 100_000, 1e12, 1e9, 1e9],
  ])('%s', (_name, measurement, divisor, weight_kg, volume_cm3, volumetric_weight_kg, chargeable_weight_kg) => {
    expect(measuresOf({ items: [item(1)] }, [measurement], divisor)).toMatchObject({
      measured: { weight_kg, volume_cm3 },
      difference: { weight_kg: null, volume_cm3: null },
      volumetric_weight_kg,
      chargeable_weight_kg,
    });
  });
});

test.each<[string, ReturnType<typeof item>[], number | null, number | null]>([
  ['more than declared', [item(2, 0.4, 10, 10, 10)], 0.2, 4000],
  ['less than declared', [item(2, 0.7, 20, 20, 20)], -0.4, -10_000],
  ['as declared', [item(1, 1, 10, 20, 30)], 0, 0],
  ['in weight alone', [item(1, 0.9)], 0.1, null],
])('the difference to what is measured: %s', (_name, items, weight_kg, volume_cm3) => {
  expect(measuresOf({ items }, [parcel(10, 20, 30, 1)], 5000).difference).toEqual({ weight_kg, volume_cm3 });
});

describe('of several parcels', () => {
  const declared = [item(1, 3, 10, 10, 30), item(1, 4, 10, 10, 40)];
  const named = declared.map((one, index) => ({ ...one, tracking_number: `SF${index + 1}` }));
  const scanned = (express_no: string | null, weight_kg: number): Measurement => ({
    ...parcel(10, 10, 10 * weight_kg, weight_kg),
    reported_by: { warehouse_code: 'WH1', event_id: 'we-1', express_no },
  });

  test.each<[string, Parameters<typeof measuresOf>[0], Measurement[], number, number | null]>([
    ['each is added once it is weighed', { items: named }, [scanned('SF2', 4.5), scanned('SF1', 3)], 7.5, 0.5],
    ['one of two says nothing of the difference', { items: named }, [scanned('SF1', 3)], 3, null],
    [
      'the latest of each counts, however it was scanned',
      { items: named },
      [scanned('sf-1', 3.5), scanned('SF2', 4), scanned('SF1', 9)],
      7.5,
      0.5,
    ],
    ['cartons are known by their numbers', { items: declared, carton_count: 3 }, [scanned('C', 4), scanned('B', 2), scanned('A', 1)], 7, 0],
    ['one carton is one parcel under any number', { items: named, carton_count: 1 }, [scanned('SF2', 7), scanned('SF1', 9)], 7, 0],
    ['no more parcels count than there are', { items: named }, [scanned('X', 5), scanned('SF2', 4), scanned('SF1', 3)], 9, 2],
    ['who weighs under the number of the forecast weighs all of it', { items: named }, [scanned(null, 8), scanned('SF1', 3)], 8, 1],
    ['a parcel after all of it is weighed counts by itself', { items: named }, [scanned('SF1', 3), scanned(null, 8)], 3, null],
  ])('%s', (_name, forecast, measurements, weight_kg, difference) => {
    const measures = measuresOf(forecast, measurements, 5000);
    expect([measures.measured.weight_kg, measures.difference.weight_kg]).toEqual([weight_kg, difference]);
    expect([measures.measured.volume_cm3, measures.difference.volume_cm3]).toEqual([
      1000 * weight_kg,
      difference === null ? null : 1000 * difference,
    ]);
    expect([measures.volumetric_weight_kg, measures.chargeable_weight_kg]).toEqual([weight_kg / 5, weight_kg]);
  });
});

const measured = (weight_kg: number, at: number) => measurementAt(at, { weight_kg });

const weighingPhoto = (id: number, at: number, express_no = '') => ({ ...photo(id, { upload_time: isoInstant(at) }), express_no });

const start = initialProgress(0);

test('the current measurement is the one weighed last, whichever report comes in last', () => {
  for (const [first, second] of [
    [measured(1, 1), measured(2, 2)],
    [measured(2, 2), measured(1, 1)],
  ] as const) {
    const { measurements } = withWeighing(withWeighing(start, first, []), second, []);
    expect(measurements.map(({ weight_kg }) => weight_kg)).toEqual([2, 1]);
  }
});

test('photos are sorted by upload, latest first, and by id within an instant; each is kept once', () => {
  const first = withWeighing(start, measured(1, 1), [weighingPhoto(1, 2), weighingPhoto(2, 3), weighingPhoto(3, 2)]);
  expect(first.weighingPhotos.map(({ id }) => id)).toEqual([2, 3, 1]);
  const second = withWeighing(first, measured(1, 2), [weighingPhoto(2, 3, 'SF1')]);
  expect(second.weighingPhotos.map(({ id, express_no }) => [id, express_no])).toEqual([
    [2, 'SF1'],
    [3, ''],
    [1, ''],
  ]);
});

const items = (...list: readonly (readonly [string, number])[]) =>
  list.map(([sku_code, forecast_quantity]) => ({ sku_code, forecast_quantity }));

const count = (...list: readonly (readonly [string, number])[]) => list.map(([sku_code, quantity]) => ({ sku_code, quantity }));

test.each([
  ['all as forecast', items(['A', 2]), count(['A', 2]), ['A 2 2']],
  ['several items of one SKU are one', items(['A', 2], ['B', 1], ['A', 3]), count(['A', 4], ['B', 1]), ['A 5 4', 'B 1 1']],
  ['a SKU that is not forecast comes last', items(['B', 1]), count(['A', 2], ['B', 1]), ['B 1 1', 'A 0 2']],
  ['a SKU that is not counted was not received', items(['A', 2], ['B', 1]), count(['B', 1]), ['A 2 0', 'B 1 1']],
  ['SKUs are exact', items(['a', 2]), count(['A', 2]), ['a 2 0', 'A 0 2']],
  ['names of objects are SKUs too', items(['__proto__', 2]), count(['constructor', 1]), ['__proto__ 2 0', 'constructor 0 1']],
  ['no count', items(['A', 2]), undefined, []],
])('%s', (_name, forecast, received, expected) => {
  const found = receivedDifferences(forecast, received);
  expect(
    found.map(({ sku_code, forecast_quantity, received_quantity }) => `${sku_code} ${forecast_quantity} ${received_quantity}`),
  ).toEqual(expected);
});

const larger = (a: number, b: number): boolean => a > b;

test('a list stays sorted and keeps its first elements, in whichever order they come', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.integer({ min: 1, max: 10 }), (numbers, max) => {
      const kept = numbers.reduce<number[]>((list, number) => placed(list, number, larger, max), []);
      expect(kept).toEqual(numbers.toSorted((a, b) => b - a).slice(0, max));
    }),
  );
});

test('of equal elements the later one comes first', () => {
  const byLength = (a: string, b: string): boolean => a.length > b.length;
  expect(placed(['bb', 'a'], 'x', byLength)).toEqual(['bb', 'x', 'a']);
});
