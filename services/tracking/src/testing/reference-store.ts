import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { Decision, ParcelWrite } from '../watch/domain/decide.ts';
import { type CarrierNode, nodeInstant } from '../watch/domain/node.ts';
import { firstParcel, keyOf, keyText } from '../watch/domain/parcel-key.ts';
import type { Parcel } from '../watch/domain/parcel-state.ts';
import { isDue } from '../watch/domain/schedule.ts';
import { inDispatchOrder, type Shipment } from '../watch/domain/shipment.ts';
import { addSimulatedNode } from '../watch/domain/simulated-node.ts';
import type { DueShipment, FoundForecast, ParcelStore, PollQueue, ShipmentReader, SimulatedParcels } from '../watch/ports.ts';

/** What a store keeps of a parcel. */
interface Kept {
  readonly parcel: Parcel;
  readonly texts: ReadonlyMap<number, CarrierNode>;
  readonly leaseUntil: number;
}

/** The part of a tracking store that random histories compare. */
export interface ReferenceStore extends ParcelStore, ShipmentReader, PollQueue, SimulatedParcels {
  /** Every event so far. */
  readonly events: readonly DomainEvent[];
}

function keep(known: Kept | undefined, { after, isHistoryReplaced, added, dropped, isLeaseEnded }: ParcelWrite): Kept {
  const texts = new Map(isHistoryReplaced ? [] : known?.texts);
  for (const seq of dropped) texts.delete(seq);
  for (const { seq, node } of added) texts.set(seq, node);
  const entries = after.history.entries.map(({ seq, digest, instant }) => ({ seq, digest, instant }));
  const { leaseUntil = 0 } = known ?? {};
  const nextPollAt = after.shipment?.nextPollAt ?? null;
  // It ends with the watch, and where the next poll is later anyway.
  const isOver = isLeaseEnded || nextPollAt === null || nextPollAt >= leaseUntil;
  return { parcel: { ...after, history: { ...after.history, entries } }, texts, leaseUntil: isOver ? 0 : leaseUntil };
}

/** A tracking store in plain maps, as simple as can be: the drivers must behave as it does. */
export function createReferenceStore(): ReferenceStore {
  const parcels = new Map<string, Kept>();
  const simulated = new Map<string, readonly CarrierNode[]>();
  const events: DomainEvent[] = [];
  const dueShipmentOf = ({ shipment }: Parcel): DueShipment | undefined => {
    if (shipment === undefined) return undefined;
    const { sequence: _sequence, lastChangeAt: _lastChangeAt, nextPollAt, ...rest } = shipment;
    return { ...rest, dueAt: nextPollAt ?? 0 };
  };
  const withoutDue = ({ dueAt: _dueAt, ...shipment }: DueShipment) => shipment;
  const shipmentsOf = (tenantId: string, forecastNo: string): readonly Shipment[] =>
    inDispatchOrder(
      [...parcels.values()]
        .filter(({ parcel }) => keyText(firstParcel(parcel.forecast)) === keyText(firstParcel({ tenantId, forecastNo })))
        .flatMap(({ parcel }) => dueShipmentOf(parcel) ?? [])
        .map(withoutDue),
    );
  return {
    events,
    async change(_queries, decide): Promise<Decision> {
      const decision = decide((key) => parcels.get(keyText(key))?.parcel);
      for (const write of decision.writes) {
        const key = keyText(keyOf(write.after));
        parcels.set(key, keep(parcels.get(key), write));
        events.push(...write.messages);
      }
      return decision;
    },

    async findByPoNumber(tenantId, poNumber): Promise<FoundForecast | undefined> {
      const [found] = [...parcels.values()]
        .filter(({ parcel }) => (parcel.shipment?.furtherNumber ?? null) === null)
        .map(({ parcel }) => parcel.forecast)
        .filter((forecast) => forecast.tenantId === tenantId && forecast.poNumber === poNumber)
        .sort((a, b) => {
          const isCancelled = (forecast: typeof a): number => (forecast.cancelledAt === null ? 0 : 1);
          return isCancelled(a) - isCancelled(b) || b.acceptedAt - a.acceptedAt || b.forecastId - a.forecastId;
        });
      if (found === undefined) return undefined;
      const { forecastNo } = found;
      return { forecastNo, isCancelled: found.cancelledAt !== null, shipments: shipmentsOf(tenantId, forecastNo) };
    },

    findShipments: async (tenantId, forecastNo) => shipmentsOf(tenantId, forecastNo),

    async history(shipment, limit) {
      const kept = parcels.get(keyText(shipment));
      if (kept?.parcel.shipment?.watch !== shipment.watch) return [];
      return kept.parcel.history.entries
        .map(({ seq }) => kept.texts.get(seq) as CarrierNode)
        .reverse()
        .slice(0, limit);
    },

    async lease(now, until, limit) {
      const due = [...parcels.entries()]
        .filter(([, { parcel, leaseUntil }]) => isDue({ nextPollAt: parcel.shipment?.nextPollAt ?? null, leaseUntil }, now))
        .sort(([, a], [, b]) => (a.parcel.shipment?.nextPollAt ?? 0) - (b.parcel.shipment?.nextPollAt ?? 0))
        .slice(0, limit);
      for (const [key, kept] of due) parcels.set(key, { ...kept, leaseUntil: until });
      return due.map(([, { parcel }]) => dueShipmentOf(parcel) as DueShipment);
    },

    async simulatedNodes(parcel) {
      const nodes = simulated.get(`${parcel.tenantId}/${parcel.trackingNumber}`) ?? [];
      return [...nodes].sort((a, b) => nodeInstant(a) - nodeInstant(b));
    },

    async addSimulatedNode(parcel, wish, now) {
      const key = `${parcel.tenantId}/${parcel.trackingNumber}`;
      const nodes = simulated.get(key) ?? [];
      const { node, dropped } = addSimulatedNode(nodes.map(nodeInstant), wish, { trackingNumber: parcel.trackingNumber, now });
      simulated.set(key, [...nodes, node].slice(dropped));
      return node;
    },
  };
}
