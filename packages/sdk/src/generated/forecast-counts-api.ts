// Made from the contract by `npm run docs`; do not edit.
import type { Warning } from './warnings.ts';

/** Forecast count */
export interface ForecastCount {
  /** Status */
  readonly status_name: 'ACCEPTED' | 'ARRIVED' | 'WEIGHED' | 'PROCESSING' | 'SHIPPED' | 'COMPLETED' | 'CANCELLED';
  /** Up to 10000 */
  readonly count: number;
  /** There are more than counted */
  readonly has_more: boolean;
}

/** Forecast counts */
export interface ForecastCounts {
  /** Every status, in the order of the statuses */
  readonly statuses: readonly ForecastCount[];
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}
