import { ForecastBatch, ForecastBatchResults } from './forecast-batch-api.ts';
import { ForecastQueryResults, ForecastsQuery } from './forecast-query-api.ts';
import { ForecastSubmission } from './forecast-submission-api.ts';
import { ForecastValidation, SubmissionQuery } from './forecast-validation-api.ts';
import { type RouteDefinition, routesWith } from './route.ts';

const route = routesWith({ service: 'forecast', method: 'POST', scopes: ['forecasts:write'], rateClass: 'batch', tag: 'Forecasts' });

/** Routes about many forecasts at once, and the validation of one. */
export const forecastBatchRoutes: readonly RouteDefinition[] = [
  {
    ...route({
      id: 'validateForecast',
      path: '/open/v1/forecasts/validate',
      rateClass: 'standard',
      summary: 'Validate a forecast',
      description:
        'Checks the body of a submission and returns every error and warning that the submission would meet now. Nothing is stored and no number is claimed. The same as a submission with `validate_only=true`.',
      body: ForecastSubmission,
      data: ForecastValidation,
      repeat: 'Checks the body again.',
    }),
    // What is wrong with the fields is the result.
    errors: ['40001', '41301', '41501'],
  },
  route({
    id: 'submitForecastBatch',
    path: '/open/v1/forecasts/batch',
    summary: 'Submit many forecasts',
    description:
      'At most 100 forecasts, at most 5 MB. Each is accepted or refused as if it was sent alone, and has a result of its own, in order. With `validate_only=true` nothing is stored; the results then have `valid`, `errors` and `warnings`, also for what the forecasts of the batch take from each other.',
    query: SubmissionQuery,
    body: ForecastBatch,
    data: ForecastBatchResults,
    repeat:
      'Each forecast as in a submission: the same content returns its first result. What failed with 50000 or 50301 is submitted again.',
    idempotencyKey: true,
  }),
  route({
    id: 'queryForecasts',
    path: '/open/v1/forecasts/query',
    scopes: ['forecasts:write', 'weighing:read'],
    summary: 'Query many forecasts',
    description:
      'At most 100 po_numbers, with weighing data and tracking if you ask for them. The tracking is the stored one, with `as_of`: no carrier is asked. Use the tracking query for the current state of one forecast.',
    body: ForecastsQuery,
    data: ForecastQueryResults,
    repeat: 'Reads again.',
  }),
];
