import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { ForecastType } from '../../store/domain/canonical.ts';
import type { Fact } from '../../store/domain/fact.ts';

const { ARRIVED, WEIGHED, PROCESSING, SHIPPED, COMPLETED, CANCELLED } = forecastStatuses;

/*
 * Which status a step leads to. The other effects of a step: advance; who is notified: announcements; when a forecast counts as
 * shipped: is-shipped; which numbers a status holds and releases: held-numbers; until when the tenant may cancel: cancellation.
 */

/** What can happen to a forecast; named after the event that reports it. `tracking.ended`: a terminal tracking node; `tracking.resumed`: a correction of one. */
export type Step = Fact['step'];

/** The status that a step leads to, by the type of the forecast; absent when the step does not concern the status of that type. */
const goals: Readonly<Partial<Record<Step, Readonly<Partial<Record<ForecastType, ForecastStatus>>>>>> = {
  'warehouse.arrived': { 1: ARRIVED, 2: ARRIVED },
  'warehouse.weighed': { 1: WEIGHED, 2: WEIGHED },
  'warehouse.processed': { 1: PROCESSING, 2: PROCESSING },
  'warehouse.put-away': { 1: COMPLETED },
  'warehouse.dispatched': { 2: SHIPPED },
  'tracking.ended': { 2: COMPLETED },
};

/**
 * True when the goods leave the warehouse again. Those of a type 1 forecast are put on the shelf. The warehouse-intake service has the same
 * rule in expected/domain/match.ts.
 */
export function takesDispatch(type: ForecastType): boolean {
  return goals['warehouse.dispatched']?.[type] !== undefined;
}

/** The status after a step. Forward only: steps may be skipped, a late or repeated one changes nothing, cancelled is for good. */
export function statusAfter(status: ForecastStatus, type: ForecastType, step: Step): ForecastStatus {
  const goal = goals[step]?.[type];
  return status === CANCELLED || goal === undefined || goal < status ? status : goal;
}
