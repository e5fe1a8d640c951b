import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Store, Write } from '@parcelway/store/store';
import { type CarrierNode, MAX_NODES, nodeInstant } from '../domain/node.ts';
import { simulateNode } from '../domain/simulated-node.ts';
import { simulatedParcels } from '../parcels-collection.ts';
import type { SimulatedParcels, TrackingStore } from '../ports.ts';
import { createParcelStore } from './parcel-store.ts';
import { createRetention } from './retention.ts';
import { createPollQueue, createShipmentReader } from './shipment-reader.ts';

/** The nodes of the sandbox's carrier, shared by all processes. */
function createSimulatedParcels(store: Store): SimulatedParcels {
  return {
    async simulatedNodes({ tenantId, trackingNumber }) {
      const stored = await store.get(simulatedParcels, [tenantId, trackingNumber]);
      return [...((stored?.value.nodes ?? []) as readonly CarrierNode[])].sort((a, b) => nodeInstant(a) - nodeInstant(b));
    },

    addSimulatedNode: ({ tenantId, trackingNumber }, wish, now) =>
      untilWritten(async () => {
        const stored = await store.get(simulatedParcels, [tenantId, trackingNumber]);
        const known = (stored?.value.nodes ?? []) as readonly CarrierNode[];
        const node = simulateNode(known, wish, { trackingNumber, now });
        const set = { lastChangeAt: now, nodes: [...known, node].slice(-MAX_NODES) };
        const write = stored
          ? { in: simulatedParcels, patch: stored, set }
          : { in: simulatedParcels, insert: { tenantId, trackingNumber, ...set } };
        const [outcome] = await store.apply([write as Write]);
        return outcome?.kind === 'written' ? node : undefined;
      }),
  };
}

/** The tracking store. @param store with the collections of parcels-collection @param check throws AppError 50301 when the database is out */
export function createTrackingStore(store: Store, check: () => Promise<void>): TrackingStore {
  return {
    ...createParcelStore(store),
    ...createShipmentReader(store),
    ...createPollQueue(store),
    ...createSimulatedParcels(store),
    ...createRetention(store),
    check,
  };
}
