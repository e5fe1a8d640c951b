import type { Store, Stored } from '@parcelway/store/store';
import { firstParcel, furtherParcel } from '../domain/parcel-key.ts';
import { inDispatchOrder, type Shipment } from '../domain/shipment.ts';
import { type ParcelDocument, parcels } from '../parcels-collection.ts';
import { MAX_COUNTED, type PollBacklog, type PollQueue, type ShipmentFinder, type ShipmentReader } from '../ports.ts';
import { documentKey, nodesOf, shipmentOf } from './parcel-documents.ts';

const shipmentsIn = (found: readonly Stored<ParcelDocument>[]): readonly Shipment[] =>
  found.flatMap(({ value }) => shipmentOf(value) ?? []);

/** Reads shipments and histories: one document each. */
export function createShipmentReader(store: Store): ShipmentReader & ShipmentFinder {
  /** The parcels of a forecast, its first one at hand. Only a forecast of several costs a second read. */
  const allShipments = async (first: Stored<ParcelDocument>): Promise<readonly Shipment[]> => {
    const { furtherNumbers } = first.value;
    const keys = furtherNumbers.map((number) => documentKey(furtherParcel(first.value, number)));
    return inDispatchOrder(shipmentsIn([first, ...(await store.read(parcels, keys))]));
  };

  return {
    async findByPoNumber(tenantId, poNumber) {
      const [first] = (await store.find(parcels.by.po, { eq: [tenantId, poNumber], limit: 1 })).items;
      if (first === undefined) return undefined;
      const { forecastNo, cancelledAt } = first.value;
      return { forecastNo, isCancelled: cancelledAt !== null, shipments: await allShipments(first) };
    },

    async findShipments(tenantId, forecastNo) {
      const first = await store.get(parcels, documentKey(firstParcel({ tenantId, forecastNo })));
      return first === undefined ? [] : allShipments(first);
    },

    async findByNumber(trackingNumber, limit) {
      return shipmentsIn((await store.find(parcels.by.number, { eq: [trackingNumber], limit })).items);
    },

    async history(shipment, limit) {
      const stored = await store.get(parcels, documentKey(shipment), { with: ['nodes'] });
      if (stored === undefined || stored.value.shipment?.watch !== shipment.watch) return [];
      return nodesOf(stored.value).slice(-limit).reverse();
    },
  };
}

/**
 * The shipments that are due, for any number of processes. When a process ends while it has some, their leases run out, and the next poll finds whatever
 * it did not write. A shipment polled twice at once costs a call and no more: its parcel is decided on what is stored.
 */
export function createPollQueue(store: Store): PollQueue & PollBacklog {
  return {
    async lease(now, until, limit) {
      const claimed = await store.claimDue(parcels.by.due, { now, until, limit });
      const due = claimed.flatMap(({ value }) => {
        const shipment = shipmentOf(value);
        return shipment === undefined ? [] : [{ ...shipment, dueAt: value.nextPollAt ?? now }];
      });
      return due.sort((a, b) => a.dueAt - b.dueAt);
    },

    async overdue(now) {
      const { count, first } = await store.count(parcels.by.overdue, { eq: [], to: now + 1, most: MAX_COUNTED });
      return { count, oldestDueAt: (first as number | undefined) ?? null };
    },
  };
}
