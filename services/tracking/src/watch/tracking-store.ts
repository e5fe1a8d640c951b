import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { ApplyOptions, Store, Stored, Write } from '@parcelway/store/store';
import { decide, type Outcome, type ParcelWrite } from './domain/decide.ts';
import { type ParcelFact, parcelsOf } from './domain/facts.ts';
import { type CarrierNode, MAX_NODES, nodeInstant } from './domain/node.ts';
import { inDispatchOrder, keyText, type ParcelKey, parcelKey, type Shipment, shipmentOf } from './domain/shipment.ts';
import { type NodeWish, simulateNode } from './domain/simulated-node.ts';
import { changeOf, documentKey, indexFieldsOf, nodesOf, type ParcelDocument, parcels, simulatedParcels } from './parcels-collection.ts';
import { createRetention } from './retention.ts';

export interface TrackingStoreOptions {
  readonly environment: Environment;
  /** Called after messages were written to the outbox. */
  readonly notify: () => void;
}

/**
 * Decides facts and writes what follows from them, the one way in which parcels change; resolves with one outcome for each.
 * @param options flushLater for facts that come again after a loss of power
 * @throws AppError 50301 when the store is out, or others were quicker each time; then some of the parcels may be written, and the facts may be recorded again
 */
export type RecordFacts = (facts: readonly ParcelFact[], options?: Pick<ApplyOptions, 'flushLater'>) => Promise<readonly Outcome[]>;

/** A parcel as a carrier knows it. The tenant keeps apart simulated parcels that share a number. */
type CarrierParcel = Pick<Shipment, 'tenantId' | 'trackingNumber'>;

/** At most so many shipments are counted, so that the count stays cheap in a backlog. */
const MAX_COUNTED = 10_000;

/** What is stored of parcels, by keyText. */
type Known = ReadonlyMap<string, Stored<ParcelDocument>>;

/**
 * Parcels, for any number of processes: one read and one write for a batch.
 *
 * Crashes and races: nodes, published status and event are one write of one document, onto the version that they were decided on. So a crash leaves whole
 * parcels: what is not written comes again with the event or the next poll. When a write of a batch loses a race, the whole batch is read and decided
 * again: what the others have written, and what this process has written already, changes nothing then.
 */
function parcelStoreOf(store: Store, { environment, notify }: TrackingStoreOptions) {
  /** The parcels of a batch of facts. Only a carrier's response is decided by the history. */
  const read = async (facts: readonly ParcelFact[]): Promise<Known> => {
    const keys = new Map(facts.flatMap(parcelsOf).map((key) => [keyText(key), documentKey(key)]));
    const heavy = facts.some(({ type }) => type === 'response') ? (['nodes'] as const) : [];
    const found = await store.read(parcels, [...keys.values()], { with: heavy });
    return new Map(found.map((stored) => [keyText(stored.value), stored]));
  };

  /** @returns those that were made */
  const write = async (known: Known, writes: readonly ParcelWrite[], options: ApplyOptions): Promise<readonly ParcelWrite[]> => {
    const outcomes = await store.apply(
      writes.map((one) => writeOf(known, one)),
      options,
    );
    return writes.filter((_write, place) => outcomes[place]?.kind === 'written');
  };

  const record: RecordFacts = (facts, options = {}) => {
    const made: ParcelWrite[] = [];
    return untilWritten(async () => {
      const known = await read(facts);
      const readParcel = (key: ParcelKey) => known.get(keyText(key))?.value;
      const { writes, outcomes } = decide(facts, readParcel, environment);
      const { alone, together } = grouped(writes);
      const groups = [write(known, alone, options), ...together.map((group) => write(known, group, { ...options, together: true }))];
      const written = (await Promise.all(groups)).flat();
      made.push(...written);
      if (written.length < writes.length) return undefined;
      if (made.some(({ messages }) => messages.length > 0)) notify();
      return outcomes;
    });
  };
  return { record };
}

function writeOf(known: Known, write: ParcelWrite): Write {
  const messages = write.messages.map(encodeEvent);
  const stored = known.get(keyText(write.after));
  if (stored === undefined) return { in: parcels, insert: { ...write.after, ...indexFieldsOf(write.after) }, messages };
  return { in: parcels, patch: stored, set: changeOf(write, stored.value), messages };
}

/** A further parcel and the forecast that lists it are written together, so that one that is listed is there. */
function grouped(writes: readonly ParcelWrite[]) {
  const forecastOf = ({ after }: ParcelWrite): string => keyText(parcelKey(after));
  const isNewFurther = ({ before, after }: ParcelWrite): boolean => before === undefined && after.furtherNumber !== '';
  const together = new Map(writes.filter(isNewFurther).map((write): [string, ParcelWrite[]] => [forecastOf(write), []]));
  const alone = writes.filter((write) => together.get(forecastOf(write))?.push(write) === undefined);
  return { alone, together: [...together.values()] };
}

const shipmentsIn = (found: readonly Stored<ParcelDocument>[]): readonly Shipment[] =>
  found.flatMap(({ value }) => shipmentOf(value) ?? []);

/** Reads shipments and histories: one document each. */
function shipmentReaderOf(store: Store) {
  /** The parcels of a forecast, its first one at hand. Only a forecast of several costs a second read. */
  const allShipments = async (first: Stored<ParcelDocument>): Promise<readonly Shipment[]> => {
    const { furtherNumbers } = first.value;
    const keys = furtherNumbers.map((number) => documentKey(parcelKey(first.value, number)));
    return inDispatchOrder(shipmentsIn([first, ...(await store.read(parcels, keys))]));
  };

  return {
    /** The parcels of the live forecast of a po_number, in the order of their dispatches; none before the first. */
    async findByPoNumber(tenantId: string, poNumber: string): Promise<readonly Shipment[]> {
      const [first] = (await store.find(parcels.by.po, { eq: [tenantId, poNumber], limit: 1 })).items;
      return first === undefined ? [] : allShipments(first);
    },

    /** The parcels of a forecast, in the order of their dispatches; at most MAX_PARCELS (domain/shipment.ts). */
    async findShipments(tenantId: string, forecastNo: string): Promise<readonly Shipment[]> {
      const first = await store.get(parcels, documentKey(parcelKey({ tenantId, forecastNo })));
      return first === undefined ? [] : allShipments(first);
    },

    /**
     * The parcels under watch with a tracking number, of any tenant; at most `limit`, those that came under watch last.
     * @param trackingNumber as the dispatch named it
     */
    async findByNumber(trackingNumber: string, limit: number): Promise<readonly Shipment[]> {
      return shipmentsIn((await store.find(parcels.by.number, { eq: [trackingNumber], limit })).items);
    },

    /** The history of a parcel, newest first by instant. Of one instant, the node seen last comes first. At most `limit`, the newest. */
    async history(shipment: Shipment, limit: number): Promise<CarrierNode[]> {
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
function pollQueueOf(store: Store) {
  return {
    /**
     * Takes the `limit` shipments that have been due longest and no other poller holds.
     * @param until end of the lease; times in epoch milliseconds
     */
    async lease(now: number, until: number, limit: number): Promise<readonly Shipment[]> {
      const due = shipmentsIn(await store.claimDue(parcels.by.due, { now, until, limit }));
      return [...due].sort((a, b) => (a.nextPollAt ?? now) - (b.nextPollAt ?? now));
    },

    /**
     * How many shipments are due, including those being polled, up to {@link MAX_COUNTED}; and since when the first of them is, epoch milliseconds. Reads that
     * many keys of an index, and no shipment.
     */
    async overdue(now: number) {
      const { count, first } = await store.count(parcels.by.overdue, { eq: [], to: now + 1, most: MAX_COUNTED });
      return { count, oldestDueAt: (first ?? null) as number | null };
    },
  };
}

/** The nodes of the sandbox's carrier, shared by all processes. */
function simulatedParcelsOf(store: Store) {
  return {
    /** Oldest first by instant; nodes of one instant in the order of their creation. */
    async simulatedNodes({ tenantId, trackingNumber }: CarrierParcel): Promise<readonly CarrierNode[]> {
      const stored = await store.get(simulatedParcels, [tenantId, trackingNumber]);
      return [...((stored?.value.nodes ?? []) as readonly CarrierNode[])].sort((a, b) => nodeInstant(a) - nodeInstant(b));
    },

    /** Adds a node to a parcel, which need not be known. @param now epoch milliseconds */
    addSimulatedNode: ({ tenantId, trackingNumber }: CarrierParcel, wish: NodeWish, now: number): Promise<CarrierNode> =>
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

/** Everything that the service stores of parcels. @param store with the collections of parcels-collection */
export function createTrackingStore(store: Store, options: TrackingStoreOptions) {
  return {
    ...parcelStoreOf(store, options),
    ...shipmentReaderOf(store),
    ...pollQueueOf(store),
    ...simulatedParcelsOf(store),
    ...createRetention(store),
  };
}

/** Everything that the service stores of parcels. */
export type TrackingStore = ReturnType<typeof createTrackingStore>;
/** Reads shipments and histories. */
export type ShipmentReader = Pick<TrackingStore, 'findByPoNumber' | 'findShipments' | 'history'>;
