import type { Clock } from '@parcelway/kernel/clock';
import type { Fact, ForecastFact } from '../store/domain/fact.ts';
import { keyText } from '../store/domain/known-forecast.ts';
import type { ForecastWriter } from '../store/forecast-writer.ts';
import type { WantedForecast } from '../store/ports.ts';
import { decideFacts } from './domain/decide-facts.ts';

export interface ApplyFactsOptions {
  readonly writer: ForecastWriter;
  readonly clock: Clock;
}

export type ApplyFacts = ReturnType<typeof createApplyFacts>;

/**
 * The use case behind every consumed event: applies facts to their forecasts, each once, in their order; effect, dedupe mark and messages of a forecast in one
 * write. One that cannot be applied leaves the others as they are: they are written before it is reported, so that applying them again finds nothing to do.
 * @throws AppError of the first that cannot be applied: 40403 when the tenant has no such forecast, 40902 when the forecast refuses it. No retry
 * will change that
 */
export function createApplyFacts({ writer, clock }: ApplyFactsOptions) {
  return async (facts: readonly ForecastFact[]): Promise<void> => {
    if (facts.length === 0) return;
    const { decision } = await writer.change(wantedBy(facts), (known) => decideFacts(facts, known, clock.now()));
    const [refusal] = decision.refused;
    if (refusal !== undefined) throw refusal;
  };
}

/** What changes by which a forecast is found: the terms that are left follow from the content. */
const CHANGES_TERMS: ReadonlySet<string> = new Set<Fact['step']>([
  'warehouse.dispatched',
  'warehouse.exception',
  'warehouse.held',
  'warehouse.released',
]);

/** The forecasts of facts, each once. */
function wantedBy(facts: readonly ForecastFact[]): WantedForecast[] {
  const wanted = new Map<string, WantedForecast>();
  for (const reported of facts) {
    const { tenantId, forecastNo, fact } = reported;
    const key = keyText(reported);
    const withContent = wanted.get(key)?.withContent === true || CHANGES_TERMS.has(fact.step);
    wanted.set(key, { tenantId, forecastNo, withMarks: true, withContent });
  }
  return [...wanted.values()];
}
