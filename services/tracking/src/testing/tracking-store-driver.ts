import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { openSqliteStore } from '@parcelway/platform/open-store';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { CommittedMessages } from '@parcelway/sqlite/testing/committed-messages';
import { trackingCollections } from '../collections.ts';
import type { Outcome } from '../watch/domain/decide.ts';
import type { Dispatch, ParcelFact } from '../watch/domain/facts.ts';
import { digestNodes } from '../watch/domain/history.ts';
import { type CarrierNode, MAX_NODES } from '../watch/domain/node.ts';
import type { Shipment } from '../watch/domain/shipment.ts';
import type { NodeWish } from '../watch/domain/simulated-node.ts';
import { createTrackingStore, type TrackingStore, type TrackingStoreOptions } from '../watch/tracking-store.ts';
import { dispatchOf, NOW, TENANT } from './samples.ts';

/** A store under test. */
export type TrackingStoreDriver = ReturnType<typeof openTrackingStore>;

/** Options of a store whose messages nobody waits for. */
export const testOptions: TrackingStoreOptions = { environment: 'sandbox', notify: () => undefined };

/** Opens an empty store over SQLite in memory. */
export function openTrackingStore() {
  const db = new SqliteDatabase(':memory:');
  const log = new CommittedMessages(db);
  const { store: documents, tenantData } = openSqliteStore(db, trackingCollections, log);
  return {
    db,
    documents,
    tenantData,
    store: createTrackingStore(documents, testOptions),
    /** Encoded domain events in the order of their writes. */
    published: async (): Promise<readonly string[]> => (await log.lease(100_000)).map(({ value }) => value),
    close: () => db.close(),
  };
}

/** A store with a method for each kind of fact, recorded in a batch of its own. */
export type TestStore = ReturnType<typeof testStore>;

/** Gives a store the methods of a {@link TestStore}. */
export function testStore(store: TrackingStore) {
  const one = async (fact: ParcelFact): Promise<Outcome> => (await store.record([fact]))[0] as Outcome;
  return {
    ...store,
    /** Its whole history, or the newest nodes of it. */
    history: (shipment: Shipment, limit: number = MAX_NODES) => store.history(shipment, limit),
    /** The parcel of a forecast that was dispatched last, or the one with a tracking number. */
    findShipment: async (tenantId: string, forecastNo: string, trackingNumber?: string) =>
      (await store.findShipments(tenantId, forecastNo)).findLast(
        (one) => trackingNumber === undefined || one.trackingNumber === trackingNumber,
      ),
    dispatch: async (dispatch: Dispatch) => void (await one({ type: 'dispatched', ...dispatch })),
    /** Records a carrier's response. */
    respond: (shipment: Shipment, nodes: readonly CarrierNode[], now: number, traceparent?: string) =>
      one({ type: 'response', shipment, nodes: digestNodes(nodes), now, traceparent }),
    reschedule: async (shipment: Shipment, nextPollAt: number | null, failures: number) =>
      void (await one({ type: 'rescheduled', shipment, nextPollAt, failures, now: NOW })),
    /** Deletes what is over, of each kind at most `limit`. @returns how many */
    purge: async (before: number, limit: number): Promise<number> =>
      (await store.deleteEnded((await store.ended(before, limit)).items)) + (await store.deleteSimulated(before, limit)),
    /** Adds a simulated node, and makes the shipment due. */
    async simulate(shipment: Shipment, wish: NodeWish, now: number): Promise<CarrierNode> {
      const node = await store.addSimulatedNode(shipment, wish, now);
      const { tenantId, forecastNo, furtherNumber } = shipment;
      await one({ type: 'news', tenantId, forecastNo, furtherNumber, now });
      return node;
    },
  };
}

/** Dispatches a forecast. */
export async function shipParcel(store: TestStore, forecastNo = 'FC1'): Promise<Shipment> {
  await store.dispatch(dispatchOf({ forecastNo }));
  return (await store.findShipment(TENANT, forecastNo)) as Shipment;
}

/** The events that a store has written. */
export async function publishedEvents(driver: TrackingStoreDriver): Promise<DomainEvent<'tracking.changed'>[]> {
  return (await driver.published()).map((value) => decodeEvent(value) as DomainEvent<'tracking.changed'>);
}

/** From which status to which, event by event. */
export async function publishedChanges(driver: TrackingStoreDriver): Promise<[string, string][]> {
  return (await publishedEvents(driver)).map(({ data }) => [data.previous_admin_status, data.admin_status]);
}

/** Leases what is due, for a second; forecast numbers. */
export async function leaseNumbers(store: TestStore, now: number): Promise<string[]> {
  return (await store.lease(now, now + 1000, 100)).map(({ forecastNo }) => forecastNo);
}
