import { AppError } from '@parcelway/kernel/app-error';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { type Connection, type ConnectionLabels, connectionLabels } from '../accounts/domain/connection.ts';

/** Connections whose labels are remembered. */
const MAX_REMEMBERED = 1000;

const failures: Readonly<Record<string, string>> = { 40003: 'refused', 40001: 'unreadable', 41301: 'unreadable', 50301: 'busy' };

/** Counts the pushes to connections that exist. */
export class PushTelemetry {
  readonly #metrics: ServiceTelemetry['metrics'];
  readonly #known = new Map<string, ConnectionLabels>();

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

  /**
   * Counts a push that found no place, before anybody looked up its connection. Whoever sends it chooses the id, so only an id that a push was
   * counted for before makes a series.
   */
  busy(connectionId: string): void {
    const labels = this.#known.get(connectionId);
    if (labels !== undefined) this.#metrics.count('parcelway_source_pushes_total', { ...labels, outcome: 'busy' });
  }

  #count(connection: Connection, outcome: string): void {
    const labels = this.#known.get(connection.connectionId) ?? connectionLabels(connection);
    if (this.#known.size < MAX_REMEMBERED) this.#known.set(connection.connectionId, labels);
    this.#metrics.count('parcelway_source_pushes_total', { ...labels, outcome });
  }
}
