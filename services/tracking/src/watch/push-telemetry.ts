import { AppError } from '@parcelway/kernel/app-error';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import { type Connection, type ConnectionLabels, connectionLabels } from '../accounts/domain/connection.ts';

/** Counts the pushes to connections that exist. */
export interface PushTelemetry {
  /** Counts a push that was applied. @param isProved false for one that only had its source asked */
  done(connection: Connection, isProved: boolean): void;
  /** Counts a push that was not applied; an error that says nothing of the push counts nothing. */
  failed(connection: Connection, error: unknown): void;
  /**
   * Counts a push that found no place, before anybody looked up its connection. Whoever sends it chooses the id, so only an id that a push was
   * counted for before makes a series.
   */
  busy(connectionId: string): void;
}

/** Connections whose labels are remembered. */
const MAX_REMEMBERED = 1000;

const failures: Readonly<Record<string, string>> = { 40003: 'refused', 40001: 'unreadable', 41301: 'unreadable', 50301: 'busy' };

/** Makes the counters of pushes. */
export function createPushTelemetry({ metrics }: ServiceTelemetry): PushTelemetry {
  const known = new Map<string, ConnectionLabels>();
  const count = (connection: Connection, outcome: string): void => {
    const labels = known.get(connection.connectionId) ?? connectionLabels(connection);
    if (known.size < MAX_REMEMBERED) known.set(connection.connectionId, labels);
    metrics.count('parcelway_source_pushes_total', { ...labels, outcome });
  };
  return {
    done: (connection, isProved) => count(connection, isProved ? 'accepted' : 'unproved'),
    failed(connection, error) {
      const outcome = error instanceof AppError ? failures[error.code] : undefined;
      if (outcome !== undefined) count(connection, outcome);
    },
    busy(connectionId) {
      const labels = known.get(connectionId);
      if (labels !== undefined) metrics.count('parcelway_source_pushes_total', { ...labels, outcome: 'busy' });
    },
  };
}
