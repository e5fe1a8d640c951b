import { expect, test } from '@jest/globals';
import { acceptedForecasts, batchOf, failedForecasts, validatedForecasts } from './batch.ts';
import type { ForecastBatchResult, ForecastBatchResults } from './generated/forecast-batch-api.ts';

const forecast = { po_number: 'PO-1', warehouse_code: 'SZ01', items: [] };
const fault = { field: 'items', rule: 'min_items', message: 'items must have at least 1 item' };
const acceptance = {
  forecast_no: 'FC1',
  po_number: 'PO-1',
  item_count: 1,
  status: 'ACCEPTED',
  create_time: '2026-11-21T08:00:00Z',
  warnings: [],
} as const;

const resultsOf = (...results: Omit<ForecastBatchResult, 'index'>[]): ForecastBatchResults => ({
  results: results.map((result, index) => ({ index, ...result })),
  accepted: 0,
  failed: 0,
  warnings: [],
});

const mixed = resultsOf(
  { code: '42201', message: 'Field validation failed', data: { errors: [fault] } },
  { code: '0', message: 'success', data: { ...acceptance, replayed: true } },
  { code: '50000', message: 'Internal error', data: null },
);

test('a batch is made of a list, and a body is sent as it is', () => {
  expect(batchOf([forecast])).toEqual({ forecasts: [forecast] });
  const body = { forecasts: [forecast] };
  expect(batchOf(body)).toBe(body);
});

test('the accepted and the failed forecasts of a batch are distinguished', () => {
  expect(acceptedForecasts(mixed)).toEqual([{ ...acceptance, replayed: true }]);
  expect(failedForecasts(mixed)).toEqual([
    { index: 0, code: '42201', message: 'Field validation failed', errors: [fault], data: { errors: [fault] } },
    { index: 2, code: '50000', message: 'Internal error', errors: [], data: {} },
  ]);
  expect(validatedForecasts(mixed)).toEqual([null, null, null]);
});

test('the results of a validation are validations, and nothing is accepted', () => {
  const validation = { valid: false, existing_forecast_no: null, errors: [{ code: '42201', ...fault }], warnings: [] };
  const validated = resultsOf({ code: '0', message: 'success', data: validation }, { code: '50301', message: 'Busy', data: null });
  expect(validatedForecasts(validated)).toEqual([validation, null]);
  expect(acceptedForecasts(validated)).toEqual([]);
  expect(failedForecasts(validated).map(({ code }) => code)).toEqual(['50301']);
});
