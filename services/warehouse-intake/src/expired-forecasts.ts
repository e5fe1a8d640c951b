/** Names a forecast. */
export interface ForecastName {
  readonly tenantId: string;
  readonly forecastNo: string;
}

/** Forecasts that their service has deleted. */
export interface ExpiredForecasts {
  /**
   * Takes forecasts out of the directory and of the warehouses' view, with what former warehouses are shown of them, what was reported of them and how
   * it was resolved: nothing else says any more whose it was. A repeat has no effect.
   * @throws AppError 50301
   */
  drop(forecasts: readonly ForecastName[]): Promise<void>;
}
