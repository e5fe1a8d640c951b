import { expect, test } from '@jest/globals';
import { warehouseEventSchemas } from '@parcelway/contracts/warehouse-api';
import { nearMiss } from './near-miss.ts';

const weighing = Object.keys(warehouseEventSchemas.weighing.properties);

test.each([
  ['photo_id', 'photo_ids'],
  ['weight_lb', 'weight_kg'],
  ['weight', 'weight_kg'],
  ['lengthCm', 'length_cm'],
  ['height_mm', 'height_cm'],
  ['WIDTH_CM', 'width_cm'],
  ['witdh_cm', 'width_cm'],
  ['expres_no', 'express_no'],
  ['occured_at', 'occurred_at'],
  ['forecastNo', 'forecast_no'],
])('%s was probably meant for %s', (name, field) => {
  expect(nearMiss(name, weighing)).toBe(field);
});

test.each(['operator', 'note', '', 'x', 'constructor', '__proto__', 'weight_kg'.repeat(10)])('%p resembles no field', (name) => {
  expect(nearMiss(name, weighing)).toBeUndefined();
});
