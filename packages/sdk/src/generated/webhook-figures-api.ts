// Made from the contract by `npm run docs`; do not edit.
import type { Warning } from './warnings.ts';

/** Endpoint figures */
export interface EndpointFigures {
  readonly days: readonly EndpointFiguresOfDay[];
  readonly total: EndpointFiguresTotal;
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Endpoint figures of day */
export interface EndpointFiguresOfDay {
  /** Day, UTC */
  readonly date: string;
  /** Attempts to deliver an event; tests are not counted */
  readonly attempts: number;
  /** Those with a response of 200 to 299 in time */
  readonly succeeded: number;
  /** All others */
  readonly failed: number;
  /** Half of the attempts took no longer, milliseconds, up to 19 % too high; null without attempts */
  readonly duration_ms_median: number | null;
  /** 95 of 100 attempts took no longer, just as exact; null without attempts */
  readonly duration_ms_p95: number | null;
}

/** Endpoint figures query */
export interface EndpointFiguresQuery {
  /** First day, UTC; default: 30 days before `to_date` */
  readonly from_date?: string;
  /** Last day, UTC, at most 91 days after `from_date`; default: today */
  readonly to_date?: string;
}

/** Endpoint figures total */
export interface EndpointFiguresTotal {
  /** Attempts to deliver an event; tests are not counted */
  readonly attempts: number;
  /** Those with a response of 200 to 299 in time */
  readonly succeeded: number;
  /** All others */
  readonly failed: number;
  /** Half of the attempts took no longer, milliseconds, up to 19 % too high; null without attempts */
  readonly duration_ms_median: number | null;
  /** 95 of 100 attempts took no longer, just as exact; null without attempts */
  readonly duration_ms_p95: number | null;
}
