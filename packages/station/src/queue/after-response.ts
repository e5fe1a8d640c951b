import type { IntakeResult } from '@parcelway/contracts/warehouse-api';
import type { ApiFailure } from '@parcelway/page/api/failure';
import type { Fault, QueuedReport } from './queued-report.ts';

/** What a failed call means for the queue. */
export type AfterFailure = 'retry' | 'refused' | 'stop';

/** In place of a code of the API: the store of the device has failed. */
export const STORE_FAILED = 'store_failed';
/** Failures that pass by themselves: the network, a proxy, the device, a platform that is out or busy. */
const PASSING = new Set(['offline', 'timeout', 'unreadable', STORE_FAILED, '42207', '42901']);
/** Failures that no report is to blame for: the key, its scope, its holder. */
const OF_THE_KEY = new Set(['40003', '40101', '40301', '40302']);

/** What a failed call means: try again, give the report back to the bench, or stop until somebody has signed in anew. */
export function afterFailure({ code }: ApiFailure): AfterFailure {
  if (PASSING.has(code) || code.startsWith('5')) return 'retry';
  return OF_THE_KEY.has(code) ? 'stop' : 'refused';
}

/** The fault of a call that was refused as a whole. */
export function faultOf({ code, detail, faults }: ApiFailure): Fault {
  return { code, message: detail, errors: faults };
}

/** A warning of the platform about a report that it took. */
export interface TakenWarning {
  readonly report: QueuedReport;
  readonly rule: string;
  readonly message: string;
}

/** What became of the reports of a call. */
export interface Outcome {
  readonly taken: readonly QueuedReport[];
  readonly refused: ReadonlyArray<{ readonly report: QueuedReport; readonly fault: Fault }>;
  readonly warnings: readonly TakenWarning[];
}

/** What became of the reports of a call: each is taken unless it is rejected by its position. */
export function outcomeOf(reports: readonly QueuedReport[], result: IntakeResult): Outcome {
  const faults = new Map(result.rejected.map(({ index, code, message, errors }) => [index, { code, message, errors }]));
  return {
    taken: reports.filter((_report, index) => !faults.has(index)),
    refused: reports.flatMap((report, index) => {
      const fault = faults.get(index);
      return fault === undefined ? [] : [{ report, fault }];
    }),
    warnings: result.warnings.flatMap(({ index, rule, message }) => {
      const report = index === undefined ? undefined : reports[index];
      return report === undefined ? [] : [{ report, rule: rule ?? '', message }];
    }),
  };
}

/** Milliseconds of the first wait, and of the longest. */
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/**
 * Milliseconds until the next try: twice as long each time, from 1 s to 30 s, and a fifth more or less so that benches do not come
 * back at once. A wait that the platform asks for counts when it is longer.
 * @param failures in a row, from 1
 * @param random from 0 to 1
 */
export function waitMs(failures: number, random: number, retryAfterSeconds = 0): number {
  const doubled = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 10));
  return Math.max(Math.round(doubled * (0.8 + 0.4 * random)), Math.min(retryAfterSeconds * 1000, 2 * LONGEST_WAIT_MS));
}
