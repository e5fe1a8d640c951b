import { AppError } from '@parcelway/kernel/app-error';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { type Connection, connectionLabels } from '../accounts/domain/connection.ts';

const failures: Readonly<Record<string, string>> = { 40003: 'refused', 40001: 'unreadable', 41301: 'unreadable', 50301: 'busy' };

/** Counts the pushes to connections that exist. */
export class PushTelemetry {
  readonly #metrics: ServiceTelemetry['metrics'];

  constructor({ metrics }: ServiceTelemetry) {
    this.#metrics = metrics;
  }

  /** Counts a push that was applied. @param isProved false for one that only had its source asked */
  done(connection: Connection, isProved: boolean): void {
    this.#count(connection, isProved ? 'accepted' : 'unproved');
  }

  /** Counts a push that was not applied; an error that says nothing of the push counts nothing. */
  failed(connection: Connection, error: unknown): void {
    const outcome = error instanceof AppError ? failures[error.code] : undefined;
    if (outcome !== undefined) this.#count(connection, outcome);
  }

  #count(connection: Connection, outcome: string): void {
    this.#metrics.count('parcelway_source_pushes_total', { ...connectionLabels(connection), outcome });
  }
}
