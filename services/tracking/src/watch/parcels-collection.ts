import { collection, type Key } from '@parcelway/store/collection';
import Type from 'typebox';
import type { ParcelWrite } from './domain/decide.ts';
import { type CarrierNode, nodeFields } from './domain/node.ts';
import { type Parcel, type ParcelKey, parcelFields } from './domain/shipment.ts';

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

const closed = { additionalProperties: false } as const;
const time = Type.Number();

/**
 * A forecast with all that is known of its first parcel, or one of its further parcels, so that a change, its event and what both were decided by are one
 * write. It stays below the 16 MB of a document: 1000 nodes of at most 2800 characters each, as the schema of the carriers' responses allows, are less
 * than 12 MB; most are a few kilobytes.
 */
export const parcels = collection(
  'parcels',
  Type.Object(
    {
      ...parcelFields,
      // What parcels are found by, see indexFieldsOf in parcel-documents.
      trackingNumber: Type.Optional(Type.String()),
      /** Absent when the watch is over. */
      nextPollAt: Type.Optional(time),
      /** When the shipment may be polled: the next poll, or the end of the lease of a poller that has it. Absent when the watch is over. */
      dueAt: Type.Optional(time),
      /** The po_number; absent for a cancelled forecast and for a further parcel. */
      livePo: Type.Optional(Type.String()),
      /** While the shipment is watched. */
      watchedSince: Type.Optional(time),
      /** The last change of a shipment that is watched no more. */
      endedAt: Type.Optional(time),
    },
    closed,
  ),
  {
    describe: 'Dispatched forecasts and their parcels, each parcel with its history',
    key: ['tenantId', 'forecastNo', 'furtherNumber'],
    lists: {
      po: ['tenantId', 'livePo'],
      shipments: ['tenantId', 'trackingNumber'],
      owned: ['tenantId'],
      // What a source pushes names a tracking number and no tenant. Only parcels under watch hear of it.
      number: ['trackingNumber', '-watchedSince'],
      // The platform's own work over all tenants.
      overdue: ['nextPollAt'],
      ended: ['endedAt'],
    },
    queues: { due: { due: 'dueAt' } },
    heavy: ['nodes'],
    hasMessages: true,
    tenant: 'tenantId',
    shard: 'tenantId',
    ends: '`TRACKING_RETENTION_DAYS` after the last change of a parcel that is watched no more',
  },
);

/** A parcel as it is stored. */
export type ParcelDocument = NonNullable<(typeof parcels)['document']>;

/** The parcels of the sandbox's carrier, which go by their own age: a shipment keeps what it has seen of them. */
export const simulatedParcels = collection(
  'simulated_parcels',
  Type.Object(
    {
      tenantId: Type.String(),
      trackingNumber: Type.String(),
      lastChangeAt: time,
      /** In the order of their making. */
      nodes: Type.Array(Type.Object(nodeFields, closed)),
    },
    closed,
  ),
  {
    describe: 'Parcels of the simulated carrier with the nodes that were made for them',
    key: ['tenantId', 'trackingNumber'],
    lists: { owned: ['tenantId'], age: ['lastChangeAt'] },
    tenant: 'tenantId',
    shard: 'tenantId',
    ends: '`TRACKING_RETENTION_DAYS` after the last change',
    copy: { record: ({ trackingNumber, nodes }) => ({ tracking_number: trackingNumber, nodes }) },
  },
);
