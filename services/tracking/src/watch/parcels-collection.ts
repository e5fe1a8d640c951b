import { collection } from '@parcelway/store/collection';
import Type from 'typebox';
import { nodeFields } from './domain/node.ts';
import { parcelFields } from './domain/shipment.ts';

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
