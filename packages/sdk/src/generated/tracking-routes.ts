// Made from the contract by `npm run docs`; do not edit.
import type { PoNumberQuery } from './po-number.ts';
import type { TrackingResult } from './tracking-api.ts';

/** What each route of "Tracking" takes and gives. */
export interface TrackingRoutes {
  /** Query tracking: `GET /open/v1/forecasts/tracking` */
  readonly queryTracking: {
    readonly path: undefined;
    readonly query: PoNumberQuery;
    readonly body: undefined;
    readonly data: TrackingResult;
  };
}
