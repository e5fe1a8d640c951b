import { inPool } from '@parcelway/kernel/in-pool';
import type { RequestOrigin } from '../store/ports.ts';
import { batchConflicts, batchOrder } from './domain/batch-order.ts';
import type { SubmitForecast } from './submit-forecast.ts';
import type { ValidateForecast, Validation } from './validate-forecast.ts';

/** So many forecasts of a batch are processed at the same time. A store writes those that come together in one transaction. */
const AT_ONCE = 25;

/** What became of one forecast: its result, or why it failed. */
export type Outcome<T> = { readonly kind: 'done'; readonly result: T } | { readonly kind: 'failed'; readonly error: unknown };

export type SubmitBatch = ReturnType<typeof createSubmitBatch>;

/** Submits many forecasts, each as if it was sent alone. The outcomes come in the order of the forecasts. */
export function createSubmitBatch(submit: SubmitForecast) {
  return (tenantId: string, forecasts: readonly unknown[], origin?: RequestOrigin) =>
    inOrder(forecasts, AT_ONCE, batchOrder(forecasts), (forecast) => submit(tenantId, forecast, origin));
}

export type ValidateBatch = ReturnType<typeof createValidateBatch>;

/** Validates many forecasts, also against each other. The outcomes come in the order of the forecasts. */
export function createValidateBatch(validate: ValidateForecast) {
  return async (tenantId: string, forecasts: readonly unknown[]): Promise<readonly Outcome<Validation>[]> => {
    const outcomes = await inOrder(
      forecasts,
      AT_ONCE,
      forecasts.map(() => []),
      (forecast) => validate(tenantId, forecast),
    );
    const contents = outcomes.map((outcome) =>
      outcome.kind === 'done' && outcome.result.errors.length === 0 ? outcome.result.content : undefined,
    );
    const conflicts = batchConflicts(contents);
    return outcomes.map((outcome, index) => {
      const errors = conflicts[index] ?? [];
      return outcome.kind === 'failed' || errors.length === 0 ? outcome : { kind: 'done', result: { ...outcome.result, errors } };
    });
  };
}

/** Processes values with bounded concurrency, each after those it depends on. @param waitsFor for each value the indexes of earlier ones */
export async function inOrder<V, T>(
  values: readonly V[],
  atOnce: number,
  waitsFor: readonly (readonly number[])[],
  work: (value: V) => Promise<T>,
): Promise<readonly Outcome<T>[]> {
  const begun: Promise<Outcome<T>>[] = [];
  const outcomeOf = async (value: V, index: number): Promise<Outcome<T>> => {
    // Earlier ones have begun already, so this comes to an end.
    await Promise.all((waitsFor[index] ?? []).map((before) => begun[before]));
    try {
      return { kind: 'done', result: await work(value) };
    } catch (error) {
      return { kind: 'failed', error };
    }
  };
  return Promise.all(
    await inPool(values, atOnce, (value, index) => {
      const outcome = outcomeOf(value, index);
      begun[index] = outcome;
      return outcome;
    }),
  );
}
