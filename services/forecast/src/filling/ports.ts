/** A forecast that may lack terms. */
export interface FillableForecast {
  /** Where the way goes on behind it. */
  readonly place: string;
  readonly itemCount: number;
}

/** Gives forecasts the terms that they lack. */
export interface TermFilling {
  /**
   * The first `limit` forecasts of all tenants behind a place, in an order that never changes.
   * @param after null begins
   * @throws AppError 50301
   */
  next(after: string | null, limit: number): Promise<readonly FillableForecast[]>;
  /**
   * Gives forecasts exactly the terms that their content and dispatches have. What changes meanwhile keeps what the change gives it.
   * @param places of forecasts; those that are gone are passed over
   * @returns how many had other terms
   * @throws AppError 50301, also when others change the same forecasts all the time
   */
  fill(places: readonly string[]): Promise<number>;
}
