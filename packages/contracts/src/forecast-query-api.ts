import Type, { type Static } from 'typebox';
import { ForecastSummary } from './forecast-api.ts';
import { MAX_BATCH } from './forecast-batch-api.ts';
import { object, titled } from './object.ts';
import { nullable, oneOf } from './text.ts';
import { TrackingResult } from './tracking-api.ts';
import { inputWarnings } from './warnings.ts';
import { WeighingData } from './weighing-api.ts';

/** What a query of many forecasts adds to each. */
export const forecastParts = ['weighing', 'tracking'] as const;
export type ForecastPart = (typeof forecastParts)[number];

/** A po_number to find: any text, but not as long as in a URL, because there may be a hundred. */
const poNumberInList = Type.String({ minLength: 1, maxLength: 1024, description: 'po_number of the forecast, exactly as submitted' });

/** Body of a query of many forecasts. */
export const ForecastsQuery = titled('ForecastsQuery', 'Query of many forecasts', {
  po_numbers: Type.Array(poNumberInList, { minItems: 1, maxItems: MAX_BATCH, description: 'Forecasts to read' }),
  include: Type.Optional(
    Type.Array(oneOf(forecastParts, 'Part that each result has besides'), {
      maxItems: forecastParts.length,
      description: '`weighing` needs the scope weighing:read, `tracking` the scope tracking:read',
    }),
  ),
});
export type ForecastsQuery = Static<typeof ForecastsQuery>;

/** `data` of one forecast in a query of many. */
export const QueriedForecast = object('QueriedForecast', {
  ...ForecastSummary.properties,
  weighing: Type.Optional(WeighingData),
  tracking: Type.Optional(TrackingResult),
});
export type QueriedForecast = Static<typeof QueriedForecast>;

/** One result of a query of many forecasts. */
export const ForecastQueryResult = object('ForecastQueryResult', {
  index: Type.Integer({ minimum: 0, description: 'Place of the po_number in the request' }),
  code: Type.String({ description: '"0", or 40401 when no forecast of the tenant has the po_number' }),
  message: Type.String(),
  data: nullable(QueriedForecast),
});
export type ForecastQueryResult = Static<typeof ForecastQueryResult>;

/** `data` of a query of many forecasts. */
export const ForecastQueryResults = object('ForecastQueryResults', {
  results: Type.Array(ForecastQueryResult, { description: 'One for each po_number, in the order of the request' }),
  warnings: inputWarnings,
});
export type ForecastQueryResults = Static<typeof ForecastQueryResults>;
