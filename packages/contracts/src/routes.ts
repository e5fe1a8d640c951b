import { activityRoutes, consoleRoutes, keyRoutes } from './account-routes.ts';
import { carrierRoutes, connectionRoutes } from './carrier-routes.ts';
import { fileRoutes } from './file-routes.ts';
import { ForecastCancellation, ForecastDetail, ForecastExportQuery, ForecastList, ForecastListQuery } from './forecast-api.ts';
import { ForecastBatch, ForecastBatchResults } from './forecast-batch-api.ts';
import { CorrectedForecast, ForecastCorrection } from './forecast-correction-api.ts';
import { ForecastCounts, MAX_COUNTED_PER_STATUS } from './forecast-counts-api.ts';
import { ForecastQueryResults, ForecastsQuery } from './forecast-query-api.ts';
import { ForecastAcceptance, ForecastSubmission } from './forecast-submission-api.ts';
import { ForecastValidation, SubmissionQuery } from './forecast-validation-api.ts';
import { importRoutes } from './import-routes.ts';
import { ForecastImageAddition, ForecastImageRemoval } from './own-files-api.ts';
import { PoNumberQuery } from './po-number.ts';
import { type RouteDefinition, routesWith } from './route.ts';
import { Simulation, SimulationResult } from './sandbox-api.ts';
import { TrackingResult } from './tracking-api.ts';
import { warehouseRoutes } from './warehouse-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { ForecastImage, WeighingData } from './weighing-api.ts';

const forecastRoute = routesWith({ service: 'forecast', scopes: ['forecasts:write'], tag: 'Forecasts' });
// Many forecasts at once.
const batchRoute = routesWith({ service: 'forecast', method: 'POST', scopes: ['forecasts:write'], rateClass: 'batch', tag: 'Forecasts' });

const forecastRoutes: readonly RouteDefinition[] = [
  forecastRoute({
    id: 'submitForecast',
    method: 'POST',
    path: '/open/v1/forecasts',
    summary: 'Submit a forecast',
    description:
      'Sent again with the same content, the original result comes back with the header `Idempotent-Replayed: true`. Sent again with other content, the response is 40901 and nothing changes. With `validate_only=true` nothing is stored, and the response is that of `POST /open/v1/forecasts/validate`.',
    query: SubmissionQuery,
    body: ForecastSubmission,
    data: ForecastAcceptance,
    alternative: { parameter: 'validate_only', value: 'true', data: ForecastValidation },
    repeat: 'The same content returns the first result; other content is 40901.',
    idempotencyKey: true,
    errors: ['40901', '42202', '42203'],
  }),
  forecastRoute({
    id: 'listForecasts',
    path: '/open/v1/forecasts',
    scopes: ['forecasts:write', 'weighing:read'],
    summary: 'List forecasts',
    description:
      'In pages. Filters combine. Newest first; with `q` in the order of po_number, and with `updated_from` or `updated_to` the latest change first. With several filters a page may have fewer forecasts than `limit`, or none, and others follow: only `next_cursor: null` ends the list.',
    query: ForecastListQuery,
    data: ForecastList,
  }),
  forecastRoute({
    id: 'countForecasts',
    path: '/open/v1/forecast-counts',
    scopes: ['forecasts:write', 'weighing:read'],
    summary: 'Count forecasts by status',
    description: `Of each status up to ${MAX_COUNTED_PER_STATUS.toLocaleString('en')} forecasts are counted.`,
    data: ForecastCounts,
  }),
  forecastRoute({
    id: 'exportForecasts',
    path: '/open/v1/forecasts.csv',
    scopes: ['forecasts:write', 'weighing:read'],
    rateClass: 'batch',
    summary: 'Export forecasts',
    description:
      'Every forecast that the filters of the list find, in the order of the list, as CSV: UTF-8 with a byte order mark, a line with the names of the columns, then one line for each forecast. A text that a spreadsheet would take for a formula begins with an apostrophe. If the connection breaks, the table is incomplete. At most 2 exports at the same time.',
    query: ForecastExportQuery,
    data: 'table',
  }),
  forecastRoute({
    id: 'queryWeighing',
    path: '/open/v1/forecasts/weighing',
    scopes: ['weighing:read'],
    summary: 'Query weighing information',
    description: 'Complete from the moment at which `parcel.weighed` is sent.',
    query: PoNumberQuery,
    data: WeighingData,
    errors: ['40401'],
  }),
  forecastRoute({
    id: 'queryTracking',
    path: '/open/v1/forecasts/tracking',
    service: 'tracking',
    // Before its parcel is under watch a forecast is known to its owner alone.
    fallback: 'forecast',
    scopes: ['tracking:read'],
    rateClass: 'tracking',
    tag: 'Tracking',
    summary: 'Query tracking',
    description: 'Asks the carrier at the time of the request.',
    query: PoNumberQuery,
    data: TrackingResult,
    errors: ['40401', '50001'],
  }),
  forecastRoute({
    id: 'getForecast',
    path: '/open/v1/forecasts/{po_number}',
    scopes: ['forecasts:write', 'weighing:read'],
    summary: 'Read a forecast',
    description:
      'The live forecast of this po_number; when all are cancelled, the newest. A po_number that reads `weighing`, `tracking` or `import` is found by the filter of the list.',
    data: ForecastDetail,
    etag: true,
  }),
  forecastRoute({
    id: 'correctForecast',
    method: 'PATCH',
    path: '/open/v1/forecasts/{po_number}',
    summary: 'Correct a forecast',
    description:
      'Until the parcel arrives (status 1), every field of the body can change. From then until the dispatch only `shipping_label` and `shipping_note`. Each change makes a new `version`; a body that changes nothing makes none. `If-Match` with the version that you read keeps you from overwriting what somebody else corrected.',
    body: ForecastCorrection,
    data: CorrectedForecast,
    repeat: 'The same body changes nothing more. With `If-Match` it is 41201, unless it has the same `Idempotency-Key`.',
    idempotencyKey: true,
    etag: true,
    ifMatch: true,
    errors: ['40902', '41201', '42202', '42203'],
  }),
  forecastRoute({
    id: 'cancelForecast',
    method: 'POST',
    path: '/open/v1/forecasts/{po_number}/cancel',
    summary: 'Cancel a forecast',
    description: 'Possible until the parcel arrives (status 1). The po_number and its tracking numbers are free again afterwards.',
    data: ForecastCancellation,
    repeat: 'Returns the first cancellation. If the po_number is in use again, the live forecast is meant.',
    errors: ['40902'],
  }),
  {
    ...batchRoute({
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
  batchRoute({
    id: 'submitForecastBatch',
    path: '/open/v1/forecasts/batch',
    summary: 'Submit many forecasts',
    description:
      'At most 100 forecasts, at most 5 MB. The platform accepts or refuses each forecast as if you sent it alone. Results keep the order of the request. With `validate_only=true` nothing is stored; the results then have `valid`, `errors` and `warnings`, also for what the forecasts of the batch take from each other.',
    query: SubmissionQuery,
    body: ForecastBatch,
    data: ForecastBatchResults,
    repeat:
      'Each forecast as in a submission: the same content returns its first result. What failed with 50000 or 50301 is submitted again.',
    idempotencyKey: true,
  }),
  batchRoute({
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
  forecastRoute({
    id: 'addForecastImage',
    method: 'POST',
    path: '/open/v1/forecasts/{po_number}/images',
    summary: 'Put an image on a forecast',
    description:
      'At most 20 own images for each forecast, in any status but CANCELLED. `forecast_images` of the weighing query shows them with `upload_source: "tenant"`. `version` stays.',
    body: ForecastImageAddition,
    data: ForecastImage,
    repeat: 'The same image_id stays one image; it gets the type and the order of the later call.',
    errors: ['40902'],
  }),
  forecastRoute({
    id: 'removeForecastImage',
    method: 'DELETE',
    path: '/open/v1/forecasts/{po_number}/images/{image_number}',
    summary: 'Remove an own image from a forecast',
    description: '`image_number` is the `id` of the image. Images of the warehouse cannot be removed.',
    data: ForecastImageRemoval,
    repeat: 'Returns 40403: the image is no longer there.',
    errors: ['40902'],
  }),
];

/** Every public route. The gateway serves these and no others; the OpenAPI document describes them all. */
export const routes: readonly RouteDefinition[] = [
  ...forecastRoutes,
  ...importRoutes,
  ...carrierRoutes,
  ...connectionRoutes,
  ...fileRoutes,
  ...warehouseRoutes,
  ...keyRoutes,
  ...activityRoutes,
  ...consoleRoutes,
  ...webhookRoutes,
  routesWith({ service: 'gateway', scopes: ['forecasts:write'], tag: 'Sandbox' })({
    id: 'simulate',
    method: 'POST',
    path: '/sandbox/v1/simulations',
    sandboxOnly: true,
    summary: 'Simulate the warehouse or the carrier',
    description: 'Sends what a warehouse or carrier would send, on the real path. Sandbox only.',
    body: Simulation,
    data: SimulationResult,
    repeat: 'Simulates the step again.',
    idempotencyKey: true,
    errors: ['40401', '40902'],
  }),
];

/** @throws Error when there is no route with the id */
export function routeOf(id: string): RouteDefinition {
  const route = routes.find((each) => each.id === id);
  if (route === undefined) throw new Error(`The contract has no route ${id}`);
  return route;
}
