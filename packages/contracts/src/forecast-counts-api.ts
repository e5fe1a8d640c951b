import Type, { type Static } from 'typebox';
import { type ForecastStatusName, forecastStatuses } from './forecast-status.ts';
import { object } from './object.ts';
import { oneOf } from './text.ts';
import { queryWarnings } from './warnings.ts';

/** Forecasts of one status that are counted for a tenant: a count costs the same however many there are. */
export const MAX_COUNTED_PER_STATUS = 10_000;

/** How many forecasts are in a status. */
export const ForecastCount = object('ForecastCount', {
  status_name: oneOf(Object.keys(forecastStatuses) as ForecastStatusName[], 'Status'),
  count: Type.Integer({ description: `Up to ${MAX_COUNTED_PER_STATUS}` }),
  has_more: Type.Boolean({ description: 'There are more than counted' }),
});
export type ForecastCount = Static<typeof ForecastCount>;

/** Forecasts by status. */
export const ForecastCounts = object('ForecastCounts', {
  statuses: Type.Array(ForecastCount, { description: 'Every status, in the order of the statuses' }),
  warnings: queryWarnings,
});
export type ForecastCounts = Static<typeof ForecastCounts>;
