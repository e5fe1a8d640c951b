import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { type Clock, ManualClock } from '@parcelway/kernel/clock';
import { createApplyFacts } from '../facts/apply-facts.ts';
import type { ForecastChanges, ForecastStore } from '../store/forecast-store.ts';
import { ForecastWriter } from '../store/forecast-writer.ts';
import { createCancelForecast } from '../submission/cancel-forecast.ts';
import type { CheckOptions } from '../submission/check-content.ts';
import { createCorrectForecast } from '../submission/correct-forecast.ts';
import { NumberLimits } from '../submission/number-limits.ts';
import { createSubmitForecast } from '../submission/submit-forecast.ts';
import { createValidateForecast } from '../submission/validate-forecast.ts';
import { openStores } from './store-under-test.ts';

const notify = (): void => undefined;
const writerOver = (store: ForecastChanges): ForecastWriter => new ForecastWriter({ store, environment: 'sandbox', notify });

/** The use cases over a store, with every warehouse and file unless stated otherwise. */
export function useCasesOver(store: ForecastStore, clock: Clock, over: Partial<CheckOptions> = {}) {
  const numberLimits = new NumberLimits();
  const checks = {
    warehouses: { exists: async () => true },
    files: { read: () => ({ findings: undefined }), namesAny: () => false },
    numberLimits,
    ...over,
  };
  const writer = writerOver(store);
  return {
    store,
    writer,
    numberLimits,
    submit: createSubmitForecast({ store, clock, environment: 'sandbox', notify, ...checks }),
    validate: createValidateForecast({ store, clock, ...checks }),
    correct: createCorrectForecast({ store, writer, clock, ...checks }),
    cancel: createCancelForecast({ store, writer, clock }),
    apply: createApplyFacts({ writer, clock }),
  };
}

/** The use cases over SQLite in memory, at 1000. */
export function openUseCases() {
  const clock = new ManualClock(1000);
  const { store, outbox, ...stores } = openStores();
  return {
    ...stores,
    ...useCasesOver(store, clock),
    applyOver: (changes: ForecastChanges) => createApplyFacts({ writer: writerOver(changes), clock }),
    published: async (): Promise<DomainEvent[]> => (await outbox()).map(decodeEvent),
  };
}
