import type { ViewChange } from '../expected/domain/decide-view.ts';
import type { ViewForecast } from '../expected/domain/forecast-copy.ts';
import type { View } from '../expected/view-store.ts';

/** What becomes of a forecast as it is stored; undefined when nothing does. Pure: may run several times. */
type DecideForecast = (before: ViewForecast | undefined) => ViewChange | undefined;

/** Changes the view of one forecast; see {@link View}. */
export function changeForecast(view: View, forecastNo: string, decide: DecideForecast): Promise<void> {
  return view.change([forecastNo], (known) => {
    const change = decide(known.get(forecastNo));
    return change === undefined ? [] : [change];
  });
}
