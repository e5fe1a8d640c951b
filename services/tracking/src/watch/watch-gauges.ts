import type { Clock } from '@parcelway/kernel/clock';
import type { Telemetry } from '@parcelway/telemetry/telemetry';
import type { CallLedgers } from '../accounts/call-ledgers.ts';
import type { Connections } from '../accounts/connections.ts';
import { type CallLimits, usedToday } from '../accounts/domain/call-ledger.ts';
import { shownId } from '../accounts/domain/connection.ts';
import type { TrackingStore } from './tracking-store.ts';

/**
 * Shows in the metrics how far the polls are behind. Every replica shows the same: they share what is due.
 * @returns what ends it
 */
export function watchBacklog(telemetry: Telemetry, backlog: Pick<TrackingStore, 'overdue'>, clock: Clock): () => void {
  const { metrics } = telemetry.of('tracking');
  return telemetry.readWhenExposed('tracking', 'overdue shipments', async () => {
    const now = clock.now();
    const { count, oldestDueAt } = await backlog.overdue(now);
    metrics.set('parcelway_tracking_overdue_shipments', {}, count);
    metrics.set('parcelway_tracking_oldest_overdue_seconds', {}, oldestDueAt === null ? 0 : Math.max(0, now - oldestDueAt) / 1000);
  });
}

const gauges = ['parcelway_source_calls_used', 'parcelway_source_calls_limit', 'parcelway_source_last_push_timestamp_seconds'] as const;

export interface WatchConnectionsOptions {
  readonly connections: Pick<Connections, 'ofOwner'>;
  readonly sources: ReadonlyMap<string, { readonly limits: CallLimits }>;
  readonly ledgers: Pick<CallLedgers, 'read'>;
  readonly clock: Clock;
}

/**
 * Shows in the metrics what the operator's connections have called, and when they were last pushed to. Every replica shows the same: they share the
 * ledgers. Tenants' connections are not shown: they may be any number. The gauges of a connection that was removed end.
 * @returns what ends it
 */
export function watchConnections(telemetry: Telemetry, { connections, sources, ledgers, clock }: WatchConnectionsOptions): () => void {
  const { metrics } = telemetry.of('tracking');
  let shown: readonly string[] = [];
  const show = (connection: string, used: number, limit: number | null, lastPushAt: number): void => {
    metrics.set('parcelway_source_calls_used', { connection }, used);
    // A connection may have had a limit and have none any more.
    if (limit === null) metrics.remove('parcelway_source_calls_limit', { connection });
    else metrics.set('parcelway_source_calls_limit', { connection }, limit);
    if (lastPushAt !== 0) metrics.set('parcelway_source_last_push_timestamp_seconds', { connection }, lastPushAt / 1000);
  };
  return telemetry.readWhenExposed('tracking', 'calls of connections', async () => {
    const own = await connections.ofOwner(null);
    const ids = own.map(({ connectionId }) => shownId(connectionId));
    for (const connection of shown) if (!ids.includes(connection)) for (const name of gauges) metrics.remove(name, { connection });
    for (const { connectionId, source, limits } of own) {
      const ledger = await ledgers.read(connectionId);
      const standard = sources.get(source)?.limits;
      const limit = standard === undefined ? null : (limits?.calls_per_day ?? standard.callsPerDay);
      show(shownId(connectionId), usedToday(ledger, clock.now()), limit, ledger.lastPushAt);
    }
    shown = ids;
  });
}
