import type { Key } from '@parcelway/store/collection';
import type { ParcelWrite } from './domain/decide.ts';
import type { CarrierNode } from './domain/node.ts';
import { type Parcel, type ParcelKey, type Shipment, storedShipment, type WatchedShipment } from './domain/shipment.ts';
import type { ParcelDocument } from './parcels-collection.ts';

type StoredNode = NonNullable<ParcelDocument['nodes']>[number];

/** The key of a parcel's document. */
export function documentKey({ tenantId, forecastNo, furtherNumber }: ParcelKey): Key {
  return [tenantId, forecastNo, furtherNumber ?? ''];
}

/** The parcel of a document, without what its shipment is. */
export function parcelKeyOf({ tenantId, forecastNo, furtherNumber }: ParcelDocument): ParcelKey {
  return { tenantId, forecastNo, furtherNumber: furtherNumber === '' ? null : furtherNumber };
}

/** The shipment of a document; undefined before the dispatch. */
export function shipmentOf(document: ParcelDocument): Shipment | undefined {
  const { poNumber, shipment, trackingNumber, nextPollAt } = document;
  if (shipment === undefined || trackingNumber === undefined) return undefined;
  return { ...parcelKeyOf(document), poNumber, trackingNumber, isWatched: nextPollAt !== undefined, ...shipment };
}

/** The nodes of a document that was read with them, as the domain has them. */
export function nodesOf({ nodes = [] }: Pick<ParcelDocument, 'nodes'>): readonly CarrierNode[] {
  return nodes.map(({ seq: _seq, digest: _digest, instant: _instant, ...node }) => node);
}

/** The parcel of a document; its history only when that was read with it. */
export function parcelOf(document: ParcelDocument): Parcel {
  const { tenantId, forecastNo, poNumber, forecastId, acceptedAt, cancelledAt, furtherNumbers, nodes = [], nodesSeen } = document;
  const { sequence = '', lastChangeAt = 0, nextPollAt = null } = document;
  const shipment = shipmentOf(document);
  return {
    forecast: { tenantId, forecastNo, poNumber, forecastId, acceptedAt, cancelledAt, furtherNumbers },
    shipment: shipment && { ...shipment, sequence, lastChangeAt, nextPollAt },
    history: { entries: nodes.map(({ seq, digest, instant }) => ({ seq, digest, instant })), seen: nodesSeen },
  };
}

/** Until when a poller has the shipment of a document; 0 when none has. A claim moves `dueAt` alone. A lease ends with its watch. */
function leaseEndOf({ nextPollAt = 0, dueAt = 0 }: ParcelDocument): number {
  return dueAt > nextPollAt ? dueAt : 0;
}

/**
 * The fields of a parcel that may change, but for its nodes. Undefined for what it lacks.
 * @param leaseEnd until when a poller has it, epoch milliseconds
 */
export function fieldsOf({ forecast, shipment, history }: Parcel, leaseEnd = 0): Partial<ParcelDocument> {
  const { forecastId, acceptedAt, cancelledAt, furtherNumbers } = forecast;
  const isFirst = (shipment?.furtherNumber ?? null) === null;
  const isUndispatched = isFirst && shipment === undefined && furtherNumbers.length === 0;
  return {
    ...{ forecastId, acceptedAt, cancelledAt, furtherNumbers: [...furtherNumbers] },
    nodesSeen: history.seen,
    live: isFirst ? Number(cancelledAt === null) : undefined,
    undispatchedAt: isUndispatched ? acceptedAt : undefined,
    ...shipmentFieldsOf(shipment, leaseEnd),
  } as Partial<ParcelDocument>;
}

function shipmentFieldsOf(shipment: WatchedShipment | undefined, leaseEnd: number) {
  const { trackingNumber, sequence, lastChangeAt, watchedSince, nextPollAt = null } = shipment ?? {};
  const isWatched = nextPollAt !== null;
  return {
    shipment: shipment && storedShipmentOf(shipment),
    ...{ trackingNumber, sequence, lastChangeAt },
    nextPollAt: isWatched ? nextPollAt : undefined,
    dueAt: isWatched ? Math.max(nextPollAt, leaseEnd) : undefined,
    watchedSince: isWatched ? watchedSince : undefined,
    endedAt: isWatched ? undefined : lastChangeAt,
  };
}

const storedFields = Object.keys(storedShipment.properties) as (keyof typeof storedShipment.properties)[];

const storedShipmentOf = (shipment: WatchedShipment) =>
  Object.fromEntries(storedFields.map((field) => [field, shipment[field]])) as NonNullable<ParcelDocument['shipment']>;

/** What a write changes of a document, which was read with its history if that changes. */
export function changeOf({ before: known, after, isLeaseEnded }: ParcelWrite, before: ParcelDocument): Partial<ParcelDocument> {
  const fields = fieldsOf(after, isLeaseEnded ? 0 : leaseEndOf(before));
  if (after.history === known?.history) return fields;
  return { ...fields, nodes: storedNodesOf(after, before.nodes) } as Partial<ParcelDocument>;
}

/** The document of a parcel of which nothing is stored. */
export function newDocument({ after }: ParcelWrite): ParcelDocument {
  const { tenantId, forecastNo, poNumber } = after.forecast;
  const key = { tenantId, forecastNo, furtherNumber: after.shipment?.furtherNumber ?? '' };
  return { ...key, poNumber, ...fieldsOf(after), nodes: storedNodesOf(after) } as ParcelDocument;
}

/** The nodes of a history: those that are new, and the stored ones that it still has. */
function storedNodesOf({ history: { entries } }: Parcel, stored: readonly StoredNode[] = []): StoredNode[] | undefined {
  const known = new Map(stored.map((node) => [node.seq, node]));
  if (entries.length === 0) return undefined;
  return entries.map(({ node, ...place }) => (node === undefined ? (known.get(place.seq) as StoredNode) : { ...node, ...place }));
}
