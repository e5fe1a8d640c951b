import { expect, test } from '@jest/globals';
import { ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { assembleForecast } from './assemble-forecast.ts';
import { mapColumns } from './map-columns.ts';
import { templateRows, templateTitles } from './template.ts';

test('the sample rows are a valid forecast', () => {
  const { columns, missing, warnings } = mapColumns(templateTitles, {});
  expect([missing, warnings]).toEqual([[], []]);
  const rows = templateRows('WH1', Date.UTC(2026, 10, 21)).map((cells, index) => ({ row: index + 2, cells }));
  const { body, errors } = assembleForecast(rows, columns);
  expect(errors.size).toBe(0);
  expect(compileValidator(ForecastSubmission).errors(body)).toEqual([]);
  expect(body).toMatchObject({ warehouse_code: 'WH1', due_date: '2026-12-05' });
});
