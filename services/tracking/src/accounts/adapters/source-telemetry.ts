import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { refusalIn } from '../../sources/source-refusal.ts';
import type { ParcelNodes, Trace } from '../../sources/trace.ts';
import { NotNow } from '../../watch/domain/sources.ts';
import type { CallKind } from '../domain/call-ledger.ts';
import { type Connection, type ConnectionLabels, connectionLabels } from '../domain/connection.ts';
import { QUEUE_FULL } from './call-queue.ts';
import { outcomeOfCall } from './circuit.ts';

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

/** Counts what one connection does. Metrics contain no parcel data. */
export class SourceTelemetry {
  readonly #metrics: ServiceTelemetry['metrics'];
  readonly #labels: ConnectionLabels;

  constructor({ metrics }: ServiceTelemetry, connection: Connection) {
    this.#metrics = metrics;
    this.#labels = connectionLabels(connection);
    // Refusals rise from 0: an alert sees the first one, too.
    for (const kind of this.#labels.owner === 'operator' ? (['register', 'query'] as const) : [])
      for (const outcome of ['access_denied', 'quota_used_up'])
        metrics.count('parcelway_source_calls_total', { ...this.#labels, kind, outcome }, 0);
  }

  /** Makes a call and counts it by its outcome; a call that an open circuit refuses does not count. @param numbers tracking numbers in the call */
  async call<T>(kind: CallKind, numbers: number, make: () => Promise<T>): Promise<T> {
    try {
      const result = await make();
      this.#countCall(kind, 'ok', numbers);
      return result;
    } catch (error) {
      const outcome = failureOf(error);
      if (outcome !== undefined) this.#countCall(kind, outcome, numbers);
      throw error;
    }
  }

  /** Counts a question that has to wait for its turn. Any other error counts nothing. */
  waits(error: unknown): void {
    const reason = error instanceof NotNow ? waitReasons[error.reason] : undefined;
    if (reason !== undefined) this.#metrics.count('parcelway_source_waits_total', { ...this.#labels, reason });
  }

  /** Counts the unknown codes and the left-out rows of a trace. */
  trace({ unknownCodes, leftOut }: Trace, { tooOld, ahead }: ParcelNodes): void {
    if (unknownCodes.length > 0) this.#metrics.count('parcelway_source_unknown_codes_total', this.#labels, unknownCodes.length);
    this.#countRows('too_old', tooOld);
    this.#countRows('ahead', ahead);
    this.#countRows('unreadable', leftOut);
  }

  /** Counts a response that cannot be read at all, as one row. */
  unreadable(): void {
    this.#countRows('unreadable', 1);
  }

  /** Counts news that a poll found although pushes were expected. */
  missedPush(): void {
    this.#metrics.count('parcelway_source_missed_pushes_total', this.#labels);
  }

  #countCall(kind: CallKind, outcome: string, numbers: number): void {
    this.#metrics.count('parcelway_source_calls_total', { ...this.#labels, kind, outcome });
    if (numbers > 0) this.#metrics.count('parcelway_source_numbers_total', { ...this.#labels, kind }, numbers);
  }

  #countRows(reason: string, rows: number): void {
    if (rows > 0) this.#metrics.count('parcelway_source_left_out_rows_total', { ...this.#labels, reason }, rows);
  }
}

/** Counts polls that failed because no connection serves the carrier of their parcel. */
export function countUnservedPolls({ metrics }: ServiceTelemetry, polls = 1): void {
  metrics.count('parcelway_tracking_unserved_polls_total', {}, polls);
}
