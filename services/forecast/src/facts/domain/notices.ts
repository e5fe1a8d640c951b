import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import { isNewDispatch } from '../../store/domain/dispatches.ts';
import type { Fact, HoldingNotice, Notice } from '../../store/domain/fact.ts';
import type { ForecastRecord, Progress } from '../../store/domain/forecast.ts';
import { holdsOf } from '../../store/domain/holds.ts';

/**
 * What others are notified of when a fact has been recorded. Every report of the warehouse is announced, also one that comes late or belongs
 * to a cancelled forecast; a dispatch when it changes carrier or number; the completion by the fact that completes.
 * @param before the forecast before the fact
 * @param status after the fact, as `progress`
 */
export function noticesOf(
  fact: Fact,
  before: Pick<ForecastRecord, 'status' | 'progress'>,
  status: ForecastStatus,
  progress: Progress,
): Notice[] {
  return [...ofFact(fact, status, before.progress, progress), ...ofCompletion(fact, before.status, status)];
}

function ofFact(fact: Fact, status: ForecastStatus, before: Progress, after: Progress): Notice[] {
  if (!('report' in fact)) return [];
  const { report } = fact;
  const holding = (): HoldingNotice => ({ holds: holdsOf(after.holdFacts ?? []), holdReports: after.holdReports ?? 0 });
  switch (fact.step) {
    case 'warehouse.arrived':
      return [{ kind: 'arrived', status, report }];
    case 'warehouse.weighed':
      return [{ kind: 'weighed', status, weighedAt: fact.measurement.weighedAt }];
    case 'warehouse.photographed':
      return [{ kind: 'photographed', status, report, photo: fact.photo }];
    case 'warehouse.processed':
      return [{ kind: 'processed', status, report }];
    case 'warehouse.put-away':
      return [{ kind: 'put_away', status, report, ...(fact.receivedItems && { receivedItems: fact.receivedItems }) }];
    case 'warehouse.exception':
      return [{ kind: 'exception', status, report, exception: fact.exception }];
    case 'warehouse.held':
      return [{ kind: 'held', status, report, reason: fact.reason, ...holding() }];
    case 'warehouse.released':
      return [{ kind: 'released', status, report, ...holding() }];
    case 'warehouse.dispatched': {
      const { dispatch, sealedDetails } = fact;
      if (!isNewDispatch(before, after, dispatch)) return [];
      return [{ kind: 'dispatched', status, dispatch, ...(sealedDetails !== undefined && { sealedDetails }) }];
    }
  }
}

/** The notice of the completion: once, by the fact that completes. */
function ofCompletion({ step }: Fact, before: ForecastStatus, status: ForecastStatus): Notice[] {
  if (status === before || status !== forecastStatuses.COMPLETED) return [];
  return [{ kind: 'completed', status, reason: step === 'tracking.ended' ? 'tracking_ended' : 'put_away' }];
}
