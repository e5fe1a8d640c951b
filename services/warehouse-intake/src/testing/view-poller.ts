import { FIRST_ROUND, type ViewRound } from '../expected/domain/view-round.ts';
import type { ForecastView, SeenForecast } from '../expected/ports.ts';
import { pageOfForecasts } from '../expected/read-view.ts';

/** Pages of one round: more are a round without an end. */
const MAX_PAGES = 1000;

/** A system of a warehouse that follows the list as the documentation says, and knows what it was shown. */
export class ViewPoller {
  /** By forecast_no: what it expects or has seen leave. */
  readonly known = new Map<string, SeenForecast>();
  readonly #view: ForecastView;
  readonly #warehouseCode: string;
  readonly #limit: number;
  #round: ViewRound = FIRST_ROUND;

  constructor(view: ForecastView, warehouseCode: string, limit: number) {
    this.#view = view;
    this.#warehouseCode = warehouseCode;
    this.#limit = limit;
  }

  /** Stamp that the next round begins behind; null in the first one. */
  get above(): number | null {
    return this.#round.above;
  }

  /** Reads one page. @returns true when more follows in the round */
  async page(): Promise<boolean> {
    const { forecasts, round, hasMore } = await pageOfForecasts(this.#view, this.#warehouseCode, {
      round: this.#round,
      limit: this.#limit,
    });
    this.#round = round;
    for (const seen of forecasts.toReversed()) {
      if (seen.forecast.isMoved) this.known.delete(seen.forecast.forecastNo);
      else this.known.set(seen.forecast.forecastNo, seen);
    }
    return hasMore;
  }

  /** Reads to the end of the round. */
  async toEnd(): Promise<void> {
    for (let pages = 0; await this.page(); pages += 1) {
      if (pages === MAX_PAGES) throw new Error('The round does not end');
    }
  }
}
