import type { AcceptedForecast, CorrectedForecast } from '../expected/domain/event.ts';
import type { ForecastDirectory } from '../expected/ports.ts';

type Outcome = ReturnType<ForecastDirectory['follow']>;

/** Follows one acceptance. */
export function accept(store: ForecastDirectory, forecast: AcceptedForecast, traceparent?: string): Outcome {
  return store.follow([{ kind: 'accepted', forecast, traceparent }]);
}

/** Follows one correction. */
export function correct(store: ForecastDirectory, forecast: CorrectedForecast, traceparent?: string): Outcome {
  return store.follow([{ kind: 'corrected', forecast, traceparent }]);
}

/** Follows one cancellation. @param at epoch milliseconds */
export function cancel(store: ForecastDirectory, forecastNo: string, at: number, traceparent?: string): Outcome {
  return store.follow([{ kind: 'cancelled', forecastNo, at, traceparent }]);
}
