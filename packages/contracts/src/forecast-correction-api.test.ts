import { expect, test } from '@jest/globals';
import { domainEventSchemas } from './domain-events.ts';
import { ForecastDetail } from './forecast-api.ts';
import { ForecastCorrection, fixedFields } from './forecast-correction-api.ts';
import { ForecastSubmission } from './forecast-submission-api.ts';

test('every field of a submission can be corrected, but for the fixed ones', () => {
  expect([...Object.keys(ForecastCorrection.properties), ...fixedFields].sort()).toEqual(Object.keys(ForecastSubmission.properties).sort());
});

test.each([
  ['the response of a forecast', ForecastDetail],
  ['the event of its acceptance', domainEventSchemas['forecast.accepted']],
  ['the event of its correction', domainEventSchemas['forecast.corrected']],
])('%s has every field of a submission', (_what, { properties }) => {
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(ForecastSubmission.properties)));
});
