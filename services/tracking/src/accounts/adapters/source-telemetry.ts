import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { refusalIn } from '../../sources/source-refusal.ts';
import type { Trace } from '../../sources/trace.ts';
import type { ParcelNodes } from '../../sources/trace-nodes.ts';
import { NotNow } from '../../watch/domain/not-now.ts';
import { type Connection, connectionLabels } from '../domain/connection.ts';
import { QUEUE_FULL } from './call-queue.ts';
import { outcomeOfCall } from './circuit.ts';

/** What a vendor is called for. */
export type CallKind = 'register' | 'query' | 'other';

/** Counts what one connection does. No metric has anything of a parcel in it. */
export interface SourceTelemetry {
  /** Makes a call and counts it by its outcome; a call that an open circuit refuses is none. @param numbers tracking numbers in the call */
  call<T>(kind: CallKind, numbers: number, make: () => Promise<T>): Promise<T>;
  /** Counts a question that has to wait for its turn. Any other error counts nothing. */
  waits(error: unknown): void;
  /** Counts what was not understood in a trace, and what of it is not shown. */
  trace(trace: Trace, nodes: ParcelNodes): void;
  /** Counts a response that cannot be read at all, as one row. */
  unreadable(): void;
  /** Counts news that a poll found, and no push brought. */
  missedPush(): void;
}

/** Reasons of {@link NotNow} that are limits of the connection, as the metric names them. */
const waitReasons: Readonly<Record<string, string>> = {
  rate: 'rate',
  'daily quota': 'daily_quota',
  blocked: 'blocked',
  throttled: 'blocked',
  'quota used up': 'blocked',
  [QUEUE_FULL]: 'full',
};

/** Outcome of a call that failed; undefined when none was made. */
function failureOf(error: unknown): string | undefined {
  const refusal = refusalIn(error);
  if (refusal !== undefined) return refusal.reason.replaceAll(' ', '_');
  return outcomeOfCall(error) === 'rejected' ? undefined : 'unavailable';
}

/** Makes the counters of a connection. */
export function createSourceTelemetry({ metrics }: ServiceTelemetry, connection: Connection): SourceTelemetry {
  const labels = connectionLabels(connection);
  const countCall = (kind: CallKind, outcome: string, numbers: number): void => {
    metrics.count('parcelway_source_calls_total', { ...labels, kind, outcome });
    if (numbers > 0) metrics.count('parcelway_source_numbers_total', { ...labels, kind }, numbers);
  };
  const countRows = (reason: string, rows: number): void => {
    if (rows > 0) metrics.count('parcelway_source_left_out_rows_total', { ...labels, reason }, rows);
  };
  // Refusals rise from 0: an alert sees the first one, too.
  for (const kind of labels.owner === 'operator' ? (['register', 'query'] as const) : [])
    for (const outcome of ['access_denied', 'quota_used_up'])
      metrics.count('parcelway_source_calls_total', { ...labels, kind, outcome }, 0);
  return {
    async call(kind, numbers, make) {
      try {
        const result = await make();
        countCall(kind, 'ok', numbers);
        return result;
      } catch (error) {
        const outcome = failureOf(error);
        if (outcome !== undefined) countCall(kind, outcome, numbers);
        throw error;
      }
    },
    waits(error) {
      const reason = error instanceof NotNow ? waitReasons[error.reason] : undefined;
      if (reason !== undefined) metrics.count('parcelway_source_waits_total', { ...labels, reason });
    },
    trace({ unknownCodes, leftOut }, { tooOld, ahead }) {
      if (unknownCodes.length > 0) metrics.count('parcelway_source_unknown_codes_total', labels, unknownCodes.length);
      countRows('too_old', tooOld);
      countRows('ahead', ahead);
      countRows('unreadable', leftOut.length);
    },
    unreadable: () => countRows('unreadable', 1),
    missedPush: () => metrics.count('parcelway_source_missed_pushes_total', labels),
  };
}

/** Counts polls that failed because no connection serves the carrier of their parcel. */
export function countUnservedPolls({ metrics }: ServiceTelemetry, polls = 1): void {
  metrics.count('parcelway_tracking_unserved_polls_total', {}, polls);
}
