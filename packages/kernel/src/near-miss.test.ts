import { expect, test } from '@jest/globals';
import { hintOf, nearMiss } from './near-miss.ts';

const weighing = [
  ...['event_id', 'occurred_at', 'warehouse_code', 'forecast_no', 'express_no', 'type'],
  ...['length_cm', 'width_cm', 'height_cm', 'weight_kg', 'photo_ids'],
];

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

test.each([
  ['a letter too few', 'abcdefg', 'abcdefgh'],
  ['a letter too many', 'abcdefghi', 'abcdefgh'],
  ['a wrong letter', 'abcXefgh', 'abcdefgh'],
  ['the first two letters swapped', 'bacdefgh', 'abcdefgh'],
  ['the last two letters swapped', 'abcdefhg', 'abcdefgh'],
  ['two typos', 'bacdefhg', 'abcdefgh'],
  ['the first letter missing', 'bcdefgh', 'abcdefgh'],
])('%s is a slip', (_what, name, field) => expect(nearMiss(name, [field])).toBe(field));

test.each([
  ['three typos', 'bacdXfhg', 'abcdefgh'],
  ['two typos in a short name', 'bacdefX', 'abcdefg'],
  ['a typo in a name of three letters', 'abx', 'abc'],
  ['letters that are swapped across another', 'cbadefg', 'abcdefg'],
  ['no letter in common', 'zzzzzzzz', 'abcdefgh'],
])('%s is none', (_what, name, field) => expect(nearMiss(name, [field])).toBeUndefined());

test('of several fields the one that takes fewest changes was meant, in whichever position', () => {
  expect(nearMiss('abcdefgx', ['abcdefyz', 'abcdefgh'])).toBe('abcdefgh');
  expect(nearMiss('abcdefgx', ['abcdefgh', 'abcdefyz'])).toBe('abcdefgh');
});

test('the same letters come before a slip', () => expect(nearMiss('Abcd_Efgh', ['abcdefgi', 'abcdefgh'])).toBe('abcdefgh'));

test('a slip comes before another unit', () => {
  expect(nearMiss('weight_kq', ['weight_lb', 'weight_kg'])).toBe('weight_kg');
});

test('only a field with a unit is meant by another unit', () => {
  expect(nearMiss('volume_in_litres', ['volume_in_m'])).toBe('volume_in_m');
  expect(nearMiss('volume_litres', ['volume'])).toBeUndefined();
  expect(nearMiss('_litres', ['_m'])).toBeUndefined();
  expect(nearMiss('shipping_method', ['shipping_label'])).toBeUndefined();
});

test('a name is compared up to forty characters', () => {
  const field = 'a'.repeat(41);
  expect(nearMiss('a'.repeat(40), [field])).toBe(field);
  expect(nearMiss(field, [field])).toBeUndefined();
});

test.each([
  ['quantity', ['forecast_type', 'forecast_quantity', 'forecast_price'], 'forecast_quantity'],
  ['number', ['tracking_number'], 'tracking_number'],
  ['id', ['event_id', 'photo_id'], undefined],
  ['uantity', ['forecast_quantity'], undefined],
  ['', ['forecast_'], undefined],
])('the last words of a field mean it when no other field ends in them: %s', (name, known, field) => {
  expect(nearMiss(name, known)).toBe(field);
});

test('a hint names the field, and is empty when none resembles the name', () => {
  expect(hintOf('due_dat', ['due_date'])).toBe('; did you mean due_date?');
  expect(hintOf('colour', ['due_date'])).toBe('');
});
