import type { Key } from '@parcelway/store/collection';
import type { ParcelWrite } from './domain/decide.ts';
import type { CarrierNode } from './domain/node.ts';
import type { Parcel, ParcelKey } from './domain/shipment.ts';
import type { ParcelDocument } from './parcels-collection.ts';

/** The key of a parcel's document. */
export function documentKey({ tenantId, forecastNo, furtherNumber }: ParcelKey): Key {
  return [tenantId, forecastNo, furtherNumber];
}

/** The nodes of a parcel that was read with them, as a carrier has them. */
export function nodesOf({ nodes = [] }: Pick<Parcel, 'nodes'>): readonly CarrierNode[] {
  return nodes.map(({ seq: _seq, digest: _digest, instant: _instant, ...node }) => node);
}

/**
 * The fields by which a parcel is found; undefined in lists that do not have it.
 * @param leaseEnd until when a poller has it, epoch milliseconds
 */
export function indexFieldsOf({ isCancelled, furtherNumber, poNumber, shipment }: Parcel, leaseEnd = 0) {
  const { trackingNumber, watchedSince, lastChangeAt, nextPollAt = null } = shipment ?? {};
  const isWatched = nextPollAt !== null;
  return {
    trackingNumber,
    nextPollAt: isWatched ? nextPollAt : undefined,
    dueAt: isWatched ? Math.max(nextPollAt, leaseEnd) : undefined,
    watchedSince: isWatched ? watchedSince : undefined,
    endedAt: isWatched ? undefined : lastChangeAt,
    livePo: furtherNumber === '' && !isCancelled ? poNumber : undefined,
  } as Partial<ParcelDocument>;
}

/** Until when a poller has the shipment of a document; 0 when none has. A claim moves `dueAt` alone. A lease ends with its watch. */
function leaseEndOf({ nextPollAt = 0, dueAt = 0 }: ParcelDocument): number {
  return dueAt > nextPollAt ? dueAt : 0;
}

/** What a write changes of a document. A write that adds nodes needs a document read with them. */
export function changeOf({ after, isLeaseEnded = false }: Pick<ParcelWrite, 'after'> & Partial<ParcelWrite>, before: ParcelDocument) {
  const { tenantId: _tenantId, forecastNo: _forecastNo, furtherNumber: _furtherNumber, nodes, ...fields } = after;
  const changed = { ...fields, ...indexFieldsOf(after, isLeaseEnded ? 0 : leaseEndOf(before)) };
  return (nodes === undefined || nodes === before.nodes ? changed : { ...changed, nodes }) as Partial<ParcelDocument>;
}
