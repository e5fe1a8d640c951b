import { exampleParcel } from './example-parcel.ts';
import type { ForecastBatch, ForecastBatchResults } from './forecast-batch-api.ts';
import type { ForecastQueryResults, ForecastsQuery } from './forecast-query-api.ts';
import { forecastRouteExamples } from './forecast-route-examples.ts';
import type { ForecastSubmission } from './forecast-submission-api.ts';
import type { ForecastValidation } from './forecast-validation-api.ts';
import type { RouteExample } from './route-example.ts';

const { poNumber, forecastNo, warehouseCode } = exampleParcel;

const first = forecastRouteExamples['submitForecast']?.requests['replenishment'] as ForecastSubmission;
const second: ForecastSubmission = { ...first, po_number: 'PO-2025-1121-002' };
const batch: ForecastBatch = { forecasts: [first, second] };

const accepted = {
  item_count: 1,
  status: 'ACCEPTED' as const,
  create_time: '2025-11-21T08:00:00.120+00:00',
  warnings: [],
  replayed: false,
};

const missing = { field: 'items', rule: 'required', message: 'items is required' };

const results: ForecastBatchResults = {
  results: [
    { index: 0, code: '0', message: 'success', data: { forecast_no: forecastNo, po_number: poNumber, ...accepted } },
    { index: 1, code: '42201', message: `Field validation failed: ${missing.message}`, data: { errors: [missing] } },
  ],
  accepted: 1,
  failed: 1,
  warnings: [],
};

const validation: ForecastValidation = {
  valid: false,
  existing_forecast_no: null,
  errors: [
    {
      code: '42201',
      field: 'warehouse_code',
      rule: 'unknown_warehouse',
      message: 'warehouse_code "SZ9" is not a warehouse in use; GET /open/v1/warehouses lists them',
    },
    {
      code: '42202',
      field: 'items[0].tracking_number',
      rule: 'in_use',
      message: 'items[0].tracking_number is in use by another live forecast',
    },
  ],
  warnings: [{ field: 'due_date', message: 'due_date is in the past' }],
};

const query: ForecastsQuery = { po_numbers: [poNumber], include: ['weighing', 'tracking'] };

const queried: ForecastQueryResults = {
  results: [
    {
      index: 0,
      code: '0',
      message: 'success',
      data: {
        forecast_no: forecastNo,
        po_number: poNumber,
        forecast_type: 2,
        warehouse_code: warehouseCode,
        due_date: '2025-11-24',
        item_count: 1,
        version: 2,
        status: 3,
        status_name: 'WEIGHED',
        has_exception: true,
        on_hold: false,
        create_time: '2025-11-21T08:00:00.120+00:00',
        update_time: '2025-11-24T01:15:03.000+00:00',
        weighing: forecastRouteExamples['queryWeighing']?.data as never,
        tracking: { po_number: poNumber, is_shipped: false, is_terminal: false, latest_status: '', nodes: [], shipments: [] },
      },
    },
  ],
  warnings: [],
};

/** Route id → example, for the routes about many forecasts. */
export const forecastBatchExamples: Readonly<Record<string, RouteExample>> = {
  validateForecast: { requests: { replenishment: first }, data: validation },
  submitForecastBatch: { requests: { replenishments: batch }, data: results },
  queryForecasts: { requests: { query }, data: queried },
};
