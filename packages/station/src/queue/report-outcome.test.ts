import { expect, test } from '@jest/globals';
import type { IntakeResult } from '@parcelway/contracts/warehouse-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import { reportWith } from '../testing/reports.ts';
import { faultOf, outcomeOf } from './report-outcome.ts';

const reports = [reportWith(1), reportWith(2), reportWith(3)];
const resultWith = (changes: Partial<IntakeResult>): IntakeResult => ({
  accepted: 0,
  duplicates: 0,
  waiting: 0,
  rejected: [],
  warnings: [],
  ...changes,
});

test('a report is accepted unless the result rejects its position', () => {
  const errors = [{ field: 'weight_kg', rule: 'minimum', message: 'must be > 0' }];
  const outcome = outcomeOf(reports, resultWith({ rejected: [{ index: 1, event_id: 'e2', code: '42201', message: 'wrong', errors }] }));
  expect(outcome).toEqual({
    accepted: [reports[0], reports[2]],
    refused: [{ report: reports[1], fault: { code: '42201', message: 'wrong', errors } }],
    warnings: [],
  });
});

test('a warning is of the report at its position; one without a position is of none', () => {
  const warning = { field: 'express_no', rule: 'no_forecast', message: 'none' } as const;
  const { accepted, warnings } = outcomeOf(reports, resultWith({ warnings: [{ ...warning, index: 2, event_id: 'e3' }, warning] }));
  expect([accepted, warnings]).toEqual([reports, [{ report: reports[2], rule: 'no_forecast', message: 'none' }]]);
});

test('the fault of a call that was refused as a whole has its code, its words and its fields', () => {
  const faults = [{ field: 'events', message: 'is too long' }];
  expect(faultOf(new ApiFailure('42201', { detail: 'invalid', faults }))).toEqual({ code: '42201', message: 'invalid', errors: faults });
});
