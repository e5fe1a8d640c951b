import { expect, test } from '@jest/globals';
import { reportOf } from './measure-labels.ts';

test('each figure is held against the same of the fewest forecasts, cycle by cycle', () => {
  const { rows, table } = reportOf([
    { forecasts: 1_000, measures: [1, 2].map((factor) => ({ times: [10 * factor, 20 * factor], cpu: 5 * factor })) },
    { forecasts: 100_000, measures: [1, 2].map((factor) => ({ times: [15 * factor, 30 * factor], cpu: 10 * factor })) },
  ]);
  expect(table.columns.map(({ name }) => name)).toEqual([
    'Forecasts',
    'p50, ms',
    'Over the fewest',
    'p95, ms',
    'Over the fewest',
    'CPU a forecast at 10/s, ms',
    'Over the fewest',
  ]);
  expect(table.lines).toEqual([
    ['1,000', 22.5, 1, 29.25, 1, 7.5, 1],
    ['100,000', 33.75, 1.5, 43.875, 1.5, 15, 2],
  ]);
  expect(
    rows.map(({ name, ours, reference, referenceValue, ratio, cycles }) => [name, ours, reference, referenceValue, ratio, cycles]),
  ).toEqual([
    ['Submission to product label at 100,000 forecasts, p50', 33.75, 'the same at 1,000', 22.5, 1.5, 2],
    ['Submission to product label at 100,000 forecasts, p95', 43.875, 'the same at 1,000', 29.25, 1.5, 2],
    ['Submission to product label at 100,000 forecasts, CPU a forecast at 10/s', 15, 'the same at 1,000', 7.5, 2, 2],
  ]);
  expect(() => reportOf([])).toThrow('Nothing was measured');
});
