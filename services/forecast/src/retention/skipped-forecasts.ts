import { SkippedItems } from '@parcelway/kernel/skipped-items';
import type { ForecastName } from './ports.ts';

/** What of a forecast could not be ended. */
export type SkippedKind = 'forecast' | 'files';

const MAX_SKIPPED = 10_000;

const keyOf = (kind: SkippedKind, { tenantId, forecastNo }: ForecastName): string => `${kind} ${tenantId} ${forecastNo}`;

/** Forecasts that a turn passed over because they failed: when each is tried again. In memory: a new process tries them all once more. */
export class SkippedForecasts {
  readonly #skipped = new SkippedItems(MAX_SKIPPED);

  /** True when it may be tried: it has not failed, or long enough ago and not too often. */
  isDue(kind: SkippedKind, forecast: ForecastName, now: number): boolean {
    return this.#skipped.isDue(keyOf(kind, forecast), now);
  }

  /** Notes that it failed. @returns how often it has, this time included */
  failed(kind: SkippedKind, forecast: ForecastName, now: number): number {
    return this.#skipped.failed(keyOf(kind, forecast), now);
  }

  /** Notes that it did not fail any more. */
  settled(kind: SkippedKind, forecast: ForecastName): void {
    this.#skipped.settled(keyOf(kind, forecast));
  }
}
