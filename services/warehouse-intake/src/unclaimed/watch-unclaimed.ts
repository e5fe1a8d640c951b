import type { Telemetry } from '@parcelway/telemetry/telemetry';
import { unclaimedReasons } from '../expected/domain/match.ts';
import type { NumberCounts } from '../expected/number-counts.ts';
import type { Intake } from '../reports/intake-store.ts';

/** Tenants whose numbers are shown, and series that a process begins at most. */
const SHOWN_TENANTS = 20;
const MAX_SERIES = 200;

/**
 * Shows in the metrics how many events wait, and why, and which tenants declare the most numbers that nobody has seen. Every replica shows the same: they share what waits.
 * @returns what ends it
 */
export function watchUnclaimed(
  telemetry: Telemetry,
  parcels: Pick<Intake, 'countUnclaimed'>,
  counted: Pick<NumberCounts, 'declaredNumbers'>,
): () => void {
  const { metrics } = telemetry.of('warehouse-intake');
  const shown = new Set<string>();
  return telemetry.readWhenExposed('warehouse-intake', 'unclaimed events', async () => {
    const counts = await parcels.countUnclaimed();
    for (const reason of unclaimedReasons) metrics.set('parcelway_intake_unclaimed_events', { reason }, counts[reason]);
    const numbers = new Map((await counted.declaredNumbers(SHOWN_TENANTS)).map(({ tenantId, unseen }) => [tenantId, unseen]));
    for (const tenantId of numbers.keys()) if (shown.size < MAX_SERIES) shown.add(tenantId);
    // One that has left the list has few by now: its series goes on with 0.
    for (const tenantId of shown) metrics.set('parcelway_intake_declared_numbers', { tenant_id: tenantId }, numbers.get(tenantId) ?? 0);
  });
}
