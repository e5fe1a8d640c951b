import { DOWN_PREFIX } from '../../domain/simulated-node.ts';
import type { Carrier, SimulatedParcels } from '../../ports.ts';
import { carrierUnavailable, FAILED_RETRY_MS } from '../carrier-unavailable.ts';

/**
 * The sandbox's carrier: its nodes are the ones that simulations made. Whether it is out is a matter of the single
 * number, so it needs no breaker: a parcel that is down must not take the others with it.
 */
export function createSimulatedCarrier(parcels: SimulatedParcels): Carrier {
  return {
    async track(parcel) {
      if (parcel.trackingNumber.startsWith(DOWN_PREFIX)) throw carrierUnavailable(FAILED_RETRY_MS);
      return parcels.simulatedNodes(parcel);
    },
  };
}
