import { expect, test } from '@jest/globals';
import { editableFields, fixedReport } from './report-fix.ts';

const weighing = { type: 'weighing', express_no: 'SF1234', weight_kg: 1, length_cm: 30, width_cm: 20, height_cm: 10 } as const;

test('a report shows the fields that can be changed', () => {
  expect(editableFields(weighing)).toEqual([
    ['express_no', 'SF1234'],
    ['weight_kg', '1'],
    ['length_cm', '30'],
    ['width_cm', '20'],
    ['height_cm', '10'],
  ]);
});

test('numbers stay numbers, an empty field is left out, others stay', () => {
  expect(fixedReport({ ...weighing, forecast_no: 'FC1' }, { weight_kg: '1,5', express_no: ' ' })).toEqual({
    type: 'weighing',
    forecast_no: 'FC1',
    weight_kg: 1.5,
    length_cm: 30,
    width_cm: 20,
    height_cm: 10,
  });
});
