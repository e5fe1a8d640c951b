import type { Clock } from '@parcelway/kernel/clock';
import type { Telemetry } from '@parcelway/telemetry/telemetry';
import type { PollBacklog } from './ports.ts';

/**
 * Shows in the metrics how far the polls are behind. Every replica shows the same: they share what is due.
 * @returns what ends it
 */
export function watchBacklog(telemetry: Telemetry, backlog: PollBacklog, clock: Clock): () => void {
  const { metrics } = telemetry.of('tracking');
  return telemetry.readWhenExposed('tracking', 'overdue shipments', async () => {
    const now = clock.now();
    const { count, oldestDueAt } = await backlog.overdue(now);
    metrics.set('parcelway_tracking_overdue_shipments', {}, count);
    metrics.set('parcelway_tracking_oldest_overdue_seconds', {}, oldestDueAt === null ? 0 : Math.max(0, now - oldestDueAt) / 1000);
  });
}
