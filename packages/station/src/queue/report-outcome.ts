import type { IntakeResult } from '@parcelway/contracts/warehouse-api';
import type { ApiFailure } from '@parcelway/page/api/failure';
import type { Fault, QueuedReport } from './queued-report.ts';

/** A warning of the platform about a report that it accepted. */
export interface ReportWarning {
  readonly report: QueuedReport;
  readonly rule: string;
  readonly message: string;
}

/** The outcome of each report of a call. */
export interface ReportOutcome {
  readonly accepted: readonly QueuedReport[];
  readonly refused: ReadonlyArray<{ readonly report: QueuedReport; readonly fault: Fault }>;
  readonly warnings: readonly ReportWarning[];
}

/** The outcome of each report of a call: a report is accepted unless the result rejects its position. */
export function outcomeOf(reports: readonly QueuedReport[], result: IntakeResult): ReportOutcome {
  const faults = new Map(result.rejected.map(({ index, code, message, errors }) => [index, { code, message, errors }]));
  return {
    accepted: reports.filter((_report, index) => !faults.has(index)),
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

/** The fault of a report whose call was refused as a whole. */
export function faultOf({ code, detail, faults }: ApiFailure): Fault {
  return { code, message: detail, errors: faults };
}
