import { expect, test } from '@jest/globals';
import { ForecastCorrection, fixedFields } from './forecast-correction-api.ts';
import { ForecastSubmission } from './forecast-submission-api.ts';

test('every field of a submission can be corrected, but for the fixed ones', () => {
  expect([...Object.keys(ForecastCorrection.properties), ...fixedFields].sort()).toEqual(Object.keys(ForecastSubmission.properties).sort());
});
