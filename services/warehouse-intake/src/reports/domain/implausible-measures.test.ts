import { expect, test } from '@jest/globals';
import { defaultMeasureLimits, odditiesOf } from './implausible-measures.ts';

const fieldsOf = (lengthCm: number, widthCm: number, heightCm: number, weightKg: number, limits = defaultMeasureLimits) =>
  odditiesOf({ type: 'weighing', lengthCm, widthCm, heightCm, weightKg, photos: [] }, limits).map(({ field }) => field);

test.each([
  ['an ordinary parcel', [32.5, 24, 11.2, 2.415], []],
  ['a heavy one at the limit', [100, 100, 100, 150], []],
  ['grams for kilograms', [32.5, 24, 11.2, 2415], ['weight_kg', 'weight_kg']],
  ['millimetres for centimetres', [3250, 240, 112, 2.415], ['length_cm', 'weight_kg']],
  ['three sides at the limit', [400, 400, 400, 140], []],
  ['three sides beyond it', [400.1, 401, 500, 150], ['length_cm', 'width_cm', 'height_cm', 'weight_kg']],
  ['lighter than air', [50, 50, 50, 0.01], ['weight_kg']],
  ['as heavy as lead', [10, 10, 10, 11.3], []],
  ['an envelope', [30, 21, 0.3, 0.05], []],
] as const)('%s', (_name, [length, width, height, weight], fields) => {
  expect(fieldsOf(length, width, height, weight)).toEqual(fields);
});

test('follows the limits of the installation', () => {
  expect(fieldsOf(100, 100, 100, 200, { ...defaultMeasureLimits, weightKg: 1000 })).toEqual([]);
  expect(fieldsOf(100, 100, 100, 20, { ...defaultMeasureLimits, sideCm: 99 })).toEqual(['length_cm', 'width_cm', 'height_cm']);
  expect(fieldsOf(10, 10, 10, 1, { ...defaultMeasureLimits, maxDensity: 999 })).toEqual(['weight_kg']);
});

test('says what to check', () => {
  const [weight] = odditiesOf(
    { type: 'weighing', lengthCm: 30, widthCm: 20, heightCm: 10, weightKg: 151, photos: [] },
    { ...defaultMeasureLimits, maxDensity: 100_000 },
  );
  expect(weight?.message).toBe('weight_kg 151 is more than 150 kg; check the number and its unit');
});

test('asks nothing of an event without a measurement', () => {
  expect(odditiesOf({ type: 'arrival' }, defaultMeasureLimits)).toEqual([]);
});
