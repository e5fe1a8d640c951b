import type { Telemetry } from '@parcelway/telemetry/telemetry';
import { unclaimedReasons } from '../matching/domain/match.ts';
import type { UnclaimedParcels } from '../matching/ports.ts';

/**
 * Shows in the metrics how many events wait, and why. Every replica shows the same: they share what waits.
 * @returns what ends it
 */
export function watchUnclaimed(telemetry: Telemetry, parcels: Pick<UnclaimedParcels, 'countUnclaimed'>): () => void {
  const { metrics } = telemetry.of('warehouse-intake');
  return telemetry.readWhenExposed('warehouse-intake', 'unclaimed events', async () => {
    const counts = await parcels.countUnclaimed();
    for (const reason of unclaimedReasons) metrics.set('parcelway_intake_unclaimed_events', { reason }, counts[reason]);
  });
}
