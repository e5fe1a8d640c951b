/** The status of a forecast: integer as in the weighing query, string as in the acceptance result. */
export const forecastStatuses = {
  ACCEPTED: 1,
  ARRIVED: 2,
  WEIGHED: 3,
  PROCESSING: 4,
  SHIPPED: 5,
  COMPLETED: 6,
  CANCELLED: 7,
} as const;

/** Status as a string. */
export type ForecastStatusName = keyof typeof forecastStatuses;
/** Status as an integer, 1 to 7. */
export type ForecastStatus = (typeof forecastStatuses)[ForecastStatusName];

/** What each integer means, for descriptions: `1 ACCEPTED, 2 ARRIVED, …`. */
export const forecastStatusMeanings = Object.entries(forecastStatuses)
  .map(([name, value]) => `${value} ${name}`)
  .join(', ');

const names = new Map(Object.entries(forecastStatuses).map(([name, value]) => [value, name as ForecastStatusName]));

/** String of a status integer. */
export function forecastStatusName(status: ForecastStatus): ForecastStatusName {
  return names.get(status) as ForecastStatusName;
}
