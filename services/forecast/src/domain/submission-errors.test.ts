import { expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { submissionErrors } from './submission-errors.ts';

test('the errors of fields keep their rules, and get the code', () => {
  const error = { field: 'items', rule: 'required', message: 'items is required' };
  expect(submissionErrors(AppError.validation([error]))).toEqual([{ code: '42201', ...error }]);
  expect(submissionErrors(new AppError('42203', undefined, { data: { errors: [error] } }))).toEqual([{ code: '42203', ...error }]);
});

test('numbers in use become one error for each field that has one', () => {
  const taken = new AppError('42202', undefined, {
    data: { tracking_numbers: ['T1'], fields: ['items[0].tracking_number', 'items[4].tracking_number'] },
  });
  expect(submissionErrors(taken)).toMatchObject([
    { code: '42202', field: 'items[0].tracking_number', rule: 'in_use' },
    { code: '42202', field: 'items[4].tracking_number', rule: 'in_use' },
  ]);
});

test('a po_number in use names each field that differs, or the po_number when none can be named', () => {
  const of = (fields: readonly string[]) => submissionErrors(new AppError('40901', undefined, { data: { forecast_no: 'FC1', fields } }));
  expect(of(['due_date'])).toEqual([
    { code: '40901', field: 'due_date', rule: 'different', message: 'due_date differs from the forecast FC1, which has this po_number' },
  ]);
  expect(of([])).toMatchObject([{ code: '40901', field: 'po_number' }]);
});
