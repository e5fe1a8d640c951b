import type { EndpointFigures } from '@parcelway/contracts/webhook-figures-api';
import type { DayAmount } from '../../parts/day-amounts.ts';

/** What became of attempts, day by day, oldest first. */
export interface EndpointRates {
  /** Of the attempts of a day the part that succeeded, 0 to 1. */
  readonly success: readonly DayAmount[];
  readonly attempts: readonly DayAmount[];
  /** Milliseconds that 95 of 100 attempts of a day took at most. */
  readonly duration: readonly DayAmount[];
}

/** The days of the figures, as charts show them. */
export function ratesOf({ days }: Pick<EndpointFigures, 'days'>): EndpointRates {
  return {
    success: days.map(({ date, attempts, succeeded }) => ({ day: date, amount: attempts === 0 ? null : succeeded / attempts })),
    attempts: days.map(({ date, attempts }) => ({ day: date, amount: attempts })),
    duration: days.map(({ date, duration_ms_p95 }) => ({ day: date, amount: duration_ms_p95 })),
  };
}
