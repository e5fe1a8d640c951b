import { type ForecastStatus, forecastStatuses } from '@parcelway/contracts/forecast-status';
import type { ForecastType } from '../../store/domain/canonical.ts';

const { ARRIVED, WEIGHED, PROCESSING, SHIPPED, COMPLETED, CANCELLED } = forecastStatuses;

/*
 * Which status a step leads to. The other effects of a step: advance; which notices are sent: notices; when a forecast counts as
 * shipped: is-shipped; which numbers a status holds and releases: held-numbers; until when the tenant may cancel: cancellation.
 */

/** What can happen to a forecast; named after the event that reports it. `tracking.ended`: a terminal tracking node; `tracking.resumed`: a correction of one. */
export type Step =
  | 'warehouse.arrived'
  | 'warehouse.weighed'
  | 'warehouse.photographed'
  | 'warehouse.processed'
  | 'warehouse.put-away'
  | 'warehouse.dispatched'
  | 'warehouse.exception'
  | 'warehouse.held'
  | 'warehouse.released'
  | 'tracking.ended'
  | 'tracking.resumed';

/** The status that a step leads to; null when the step does not concern the status of that type of forecast. */
const goals: Readonly<Record<Step, Readonly<Record<ForecastType, ForecastStatus | null>>>> = {
  'warehouse.arrived': { 1: ARRIVED, 2: ARRIVED },
  'warehouse.weighed': { 1: WEIGHED, 2: WEIGHED },
  'warehouse.photographed': { 1: null, 2: null },
  'warehouse.processed': { 1: PROCESSING, 2: PROCESSING },
  'warehouse.put-away': { 1: COMPLETED, 2: null },
  'warehouse.dispatched': { 1: null, 2: SHIPPED },
  'warehouse.exception': { 1: null, 2: null },
  'warehouse.held': { 1: null, 2: null },
  'warehouse.released': { 1: null, 2: null },
  'tracking.ended': { 1: null, 2: COMPLETED },
  'tracking.resumed': { 1: null, 2: null },
};

/**
 * True when the goods leave the warehouse again. Those of a type 1 forecast are put on the shelf. The warehouse-intake service has the same
 * rule in expected/domain/match.ts.
 */
export function takesDispatch(type: ForecastType): boolean {
  return goals['warehouse.dispatched'][type] !== null;
}

/** The status after a step. Forward only: steps may be skipped, a late or repeated one changes nothing, cancelled is for good. */
export function statusAfter(status: ForecastStatus, type: ForecastType, step: Step): ForecastStatus {
  const goal = goals[step][type];
  return status === CANCELLED || goal === null || goal < status ? status : goal;
}
