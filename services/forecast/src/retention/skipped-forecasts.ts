import type { EndedForecast } from './ports.ts';

/** What of a forecast could not be ended. */
export type SkippedKind = 'forecast' | 'files';

interface Skipped {
  readonly kind: SkippedKind;
  readonly forecast: EndedForecast;
  readonly tries: number;
  /** Epoch milliseconds. */
  readonly dueAt: number;
}

const FIRST_RETRY_MS = 10 * 60_000;
const MAX_RETRY_MS = 86_400_000;
/** More than a week together. Then it is not tried again until the process starts anew. */
export const MAX_TRIES = 14;
/** Far more than are bad in an installation that works; the oldest of more are tried in each turn. */
const MAX_SKIPPED = 10_000;

const keyOf = (kind: SkippedKind, { tenantId, forecastNo }: EndedForecast): string => `${kind} ${tenantId} ${forecastNo}`;

/** Forecasts that a turn passed over because they failed: when each is tried again. In memory: a new process tries them all once more. */
export class SkippedForecasts {
  readonly #skipped = new Map<string, Skipped>();

  /** True when it may be tried: it has not failed, or long enough ago and not too often. */
  isDue(kind: SkippedKind, forecast: EndedForecast, now: number): boolean {
    const skipped = this.#skipped.get(keyOf(kind, forecast));
    return skipped === undefined || (skipped.tries < MAX_TRIES && skipped.dueAt <= now);
  }

  /** Notes that it failed. @returns how often it has, this time included */
  failed(kind: SkippedKind, forecast: EndedForecast, now: number): number {
    const key = keyOf(kind, forecast);
    const tries = (this.#skipped.get(key)?.tries ?? 0) + 1;
    const oldest = this.#skipped.size >= MAX_SKIPPED ? this.#skipped.keys().next().value : undefined;
    if (oldest !== undefined) this.#skipped.delete(oldest);
    this.#skipped.set(key, { kind, forecast, tries, dueAt: now + Math.min(FIRST_RETRY_MS * 2 ** (tries - 1), MAX_RETRY_MS) });
    return tries;
  }

  /** Notes that it did not fail any more. */
  settled(kind: SkippedKind, forecast: EndedForecast): void {
    this.#skipped.delete(keyOf(kind, forecast));
  }

  /** Forecasts of a tenant whose files are to be tried again. */
  filesDue(tenantId: string, now: number): readonly EndedForecast[] {
    return [...this.#skipped.values()]
      .filter(({ kind, forecast }) => kind === 'files' && forecast.tenantId === tenantId && this.isDue(kind, forecast, now))
      .map(({ forecast }) => forecast);
  }
}
