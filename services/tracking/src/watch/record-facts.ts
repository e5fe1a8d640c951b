import type { Environment } from '@parcelway/contracts/environment';
import type { ApplyOptions } from '@parcelway/store/store';
import { type Decision, decide, type Outcome, type ReadParcel } from './domain/decide.ts';
import { type ParcelFact, parcelsOf } from './domain/facts.ts';
import { keyText } from './domain/shipment.ts';
import type { ParcelQuery, TrackingStore } from './tracking-store.ts';

/** What recording facts needs. */
export interface RecordFactsOptions {
  readonly parcels: Pick<TrackingStore, 'change'>;
  readonly environment: Environment;
  /** Called after messages were written to the outbox. */
  readonly notify: () => void;
}

/**
 * Decides facts and writes what follows from them; resolves with one outcome for each.
 * @param options flushLater for facts that come again after a loss of power
 * @throws AppError 50301 when the store is out; then some of the parcels may be written, and the facts may be recorded again
 */
export type RecordFacts = (facts: readonly ParcelFact[], options?: Pick<ApplyOptions, 'flushLater'>) => Promise<readonly Outcome[]>;

/** The parcels of a batch of facts. Only a carrier's response is decided by the history. */
function queriesOf(facts: readonly ParcelFact[]): readonly ParcelQuery[] {
  const queries = new Map<string, ParcelQuery>();
  for (const fact of facts) {
    for (const { tenantId, forecastNo, furtherNumber } of parcelsOf(fact)) {
      const id = keyText({ tenantId, forecastNo, furtherNumber });
      const withHistory = fact.type === 'response' || queries.get(id)?.withHistory === true;
      queries.set(id, { tenantId, forecastNo, furtherNumber, withHistory });
    }
  }
  return [...queries.values()];
}

/** Makes the one way in which parcels change. */
export function createRecordFacts({ parcels, environment, notify }: RecordFactsOptions): RecordFacts {
  return async (facts, options) => {
    const decideAll = (known: ReadParcel): Decision => decide(facts, known, environment);
    const { writes, outcomes } = await parcels.change(queriesOf(facts), decideAll, options);
    if (writes.some(({ messages }) => messages.length > 0)) notify();
    return outcomes;
  };
}
