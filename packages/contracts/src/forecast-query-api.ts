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

/** Body of the internal route by which the forecast service reads the stored tracking of many forecasts. */
export const StoredTrackingQuery = Type.Object({
  tenant_id: Type.String({ minLength: 1, maxLength: 64 }),
  forecast_nos: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: MAX_BATCH }),
});
export type StoredTrackingQuery = Static<typeof StoredTrackingQuery>;

/** `data` of that route: the forecasts with a parcel under watch, in any order. */
export const StoredTrackings = Type.Object({
  trackings: Type.Array(Type.Object({ forecast_no: Type.String(), tracking: TrackingResult })),
});
export type StoredTrackings = Static<typeof StoredTrackings>;

/** Most forecasts that one call names. */
export const MAX_NAMED_FORECASTS = 100;

/** Body that names forecasts, to learn which of them the forecast service has. */
export const NamedForecasts = Type.Object({
  forecasts: Type.Array(Type.Object({ tenant_id: Type.String({ maxLength: 64 }), forecast_no: Type.String({ maxLength: 64 }) }), {
    minItems: 1,
    maxItems: MAX_NAMED_FORECASTS,
  }),
});
/** See the schema of the same name. The response has the same shape: those that exist, in any order. */
export type NamedForecasts = Static<typeof NamedForecasts>;
