import { SkippedItems } from '@parcelway/kernel/skipped-items';
import type { EndedForecast } from './ports.ts';

/** What of a forecast could not be ended. */
export type SkippedKind = 'forecast' | 'files';

interface Skipped {
  readonly kind: SkippedKind;
  readonly forecast: EndedForecast;
}

const MAX_SKIPPED = 10_000;

const keyOf = (kind: SkippedKind, { tenantId, forecastNo }: EndedForecast): string => `${kind} ${tenantId} ${forecastNo}`;

/** Forecasts that a turn passed over because they failed: when each is tried again. In memory: a new process tries them all once more. */
export class SkippedForecasts {
  readonly #skipped = new SkippedItems<Skipped>(MAX_SKIPPED);

  /** True when it may be tried: it has not failed, or long enough ago and not too often. */
  isDue(kind: SkippedKind, forecast: EndedForecast, now: number): boolean {
    return this.#skipped.isDue(keyOf(kind, forecast), now);
  }

  /** Notes that it failed. @returns how often it has, this time included */
  failed(kind: SkippedKind, forecast: EndedForecast, now: number): number {
    return this.#skipped.failed(keyOf(kind, forecast), { kind, forecast }, now);
  }

  /** Notes that it did not fail any more. */
  settled(kind: SkippedKind, forecast: EndedForecast): void {
    this.#skipped.settled(keyOf(kind, forecast));
  }

  /** Forecasts of a tenant whose files are to be tried again. */
  filesDue(tenantId: string, now: number): readonly EndedForecast[] {
    return this.#skipped
      .due(now)
      .filter(({ kind, forecast }) => kind === 'files' && forecast.tenantId === tenantId)
      .map(({ forecast }) => forecast);
  }
}
