import type { AdminStatus } from '@parcelway/contracts/admin-status';
import { defineCollection, type MongoCollection } from '@parcelway/mongo/mongo-collection';
import { indexOutbox, type OutboxFields, outboxFields } from '@parcelway/mongo/mongo-outbox-fields';
import { byTenant } from '@parcelway/mongo/mongo-sharding';
import { mongoCollection } from '@parcelway/store/mongo/mongo-store-schema';
import { erasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKeys } from '@parcelway/store/shared/idempotency-keys';
import { workLeases } from '@parcelway/store/shared/work-leases';
import { Schema, type SchemaDefinition } from 'mongoose';
import { connectionCollections } from '../../accounts/connection-collections.ts';

/** A node of a parcel's way. */
export interface NodeFields {
  readonly order_no: string;
  readonly address: string;
  readonly content: string;
  readonly status: string;
  readonly create_time: string;
  readonly times: string;
  readonly admin_status: AdminStatus;
  /** True when `times` is assumed; otherwise absent. */
  readonly time_assumed?: boolean;
  /** What `create_time` and `times` name, epoch milliseconds. */
  readonly instant: number;
}

/** A node of a history. */
export interface HistoryNode extends NodeFields {
  /** Place in the order in which this service saw them. */
  readonly seq: number;
  readonly digest: string;
}

/** The parcel under watch. Times in epoch milliseconds. */
export interface ShipmentFields {
  readonly carrier_code: string;
  readonly tracking_number: string;
  readonly watch: number;
  readonly sequence: string;
  readonly watched_since: number;
  /** Absent when it is `watched_since`. */
  readonly dispatched_at?: number;
  readonly published_status: AdminStatus | '';
  readonly last_change_at: number;
  /** Absent when the watch is over. */
  readonly next_poll_at?: number;
  readonly lease_until: number;
  /** The taking that the lease came from. */
  readonly lease_by?: string;
  readonly wakes: number;
  readonly failures: number;
  /** Absent for never. */
  readonly asked_at?: number;
  /** Absent when it is `asked_at`: mostly, a source that is asked responds. */
  readonly reported_at?: number;
  readonly registration?: {
    readonly connection_id: string;
    readonly reference: string | null;
    readonly at: number;
    readonly is_taken: boolean;
  };
  /** Absent when there are none. */
  readonly sealed_details?: string;
}

/**
 * A forecast with all that is known of its first parcel, or one of its further parcels, so that a change, its event and what both were
 * decided by are one write. It stays below the 16 MB of a document: 1000 nodes of at most 2800 characters each, as the
 * schema of the carriers' responses allows, are less than 12 MB; most are a few kilobytes.
 */
export interface ParcelDocument extends OutboxFields {
  /** See mongo-documents parcelId. */
  readonly _id: string;
  readonly tenant_id: string;
  readonly forecast_no: string;
  readonly po_number: string;
  /** 0 until the acceptance has come. */
  readonly forecast_id: number;
  readonly accepted_at: number;
  readonly is_cancelled: boolean;
  /** True for a further parcel; otherwise absent. Its fields of the forecast are as they were when it became known. */
  readonly is_further?: boolean;
  /** Tracking numbers of the further parcels; absent when there are none. */
  readonly further_numbers?: readonly string[];
  /** Rises with everything that the next change of the shipment is decided by; writers name the one that they have seen. */
  readonly revision: number;
  /** Absent before the dispatch. */
  readonly shipment?: ShipmentFields;
  /** Nodes ever added. */
  readonly nodes_seen?: number;
  /** The parcel's nodes, oldest first by instant; of one instant, in the order of `seq`. */
  readonly nodes?: readonly HistoryNode[];
}

/** A parcel of the sandbox's carrier. */
export interface SimulatedParcelDocument {
  /** See mongo-documents simulatedParcelId. */
  readonly _id: string;
  readonly tenant_id: string;
  readonly tracking_number: string;
  readonly revision: number;
  /** Epoch milliseconds. */
  readonly last_change_at: number;
  /** In the order of their making. */
  readonly nodes: readonly NodeFields[];
}

/** Name of the index of the platform's own work. */
export const DUE_INDEX = 'due_and_by_age';
/** Name of the index of what sources push. */
export const NUMBER_INDEX = 'by_tracking_number';

const text = { type: String };
const whole = { type: Number, required: true };
const name = { type: String, required: true };

const nodeFields = {
  order_no: text,
  address: text,
  content: text,
  status: text,
  create_time: name,
  times: name,
  admin_status: name,
  time_assumed: Boolean,
  instant: whole,
} satisfies SchemaDefinition;

const shipmentSchema = new Schema(
  {
    carrier_code: name,
    tracking_number: name,
    watch: whole,
    sequence: name,
    watched_since: whole,
    dispatched_at: Number,
    published_status: text,
    last_change_at: whole,
    next_poll_at: Number,
    lease_until: whole,
    lease_by: String,
    wakes: whole,
    failures: whole,
    asked_at: Number,
    reported_at: Number,
    sealed_details: String,
    registration: {
      type: new Schema(
        { connection_id: name, reference: { type: String, default: null }, at: whole, is_taken: { type: Boolean, required: true } },
        { _id: false },
      ),
      default: undefined,
    },
  },
  { _id: false },
);

const parcelSchema = new Schema({
  _id: name,
  tenant_id: name,
  forecast_no: name,
  po_number: name,
  forecast_id: whole,
  accepted_at: whole,
  is_cancelled: { type: Boolean, required: true },
  is_further: Boolean,
  further_numbers: { type: [String], default: undefined },
  revision: whole,
  shipment: { type: shipmentSchema, default: undefined },
  nodes_seen: Number,
  nodes: { type: [new Schema({ ...nodeFields, seq: whole, digest: name }, { _id: false })], default: undefined },
  ...outboxFields,
});
parcelSchema.index({ tenant_id: 1, po_number: 1, is_cancelled: 1, accepted_at: -1, forecast_id: -1 }, { name: 'by_po_number' });
// The platform's own work over all tenants: what is due, what ended long ago, and what was never dispatched.
parcelSchema.index({ 'shipment.next_poll_at': 1, 'shipment.last_change_at': 1, accepted_at: 1 }, { name: DUE_INDEX });
// What a source pushes names a tracking number and no tenant. Only parcels under watch hear of it.
parcelSchema.index(
  { 'shipment.tracking_number': 1, 'shipment.watched_since': -1 },
  { name: NUMBER_INDEX, partialFilterExpression: { 'shipment.next_poll_at': { $gt: 0 } } },
);
indexOutbox(parcelSchema);

const simulatedParcelSchema = new Schema({
  _id: name,
  tenant_id: name,
  tracking_number: name,
  revision: whole,
  last_change_at: whole,
  nodes: { type: [new Schema(nodeFields, { _id: false })], default: undefined },
});
// The platform's own work over all tenants, too.
simulatedParcelSchema.index({ last_change_at: 1 }, { name: 'by_age' });

/** Forecasts and their shipments; one to a tenant, forecast_no and, beyond the first parcel, tracking number by its id. */
export const parcels = defineCollection<ParcelDocument>('parcels', parcelSchema, { sharding: byTenant });

/** The parcels of the sandbox's carrier; one to a tenant and tracking number by its id. */
export const simulatedParcels = defineCollection<SimulatedParcelDocument>('simulated_parcels', simulatedParcelSchema, {
  sharding: byTenant,
});

/** Everything that the tracking store keeps in MongoDB. */
export const trackingCollections: readonly MongoCollection<unknown>[] = [
  parcels,
  simulatedParcels,
  ...[...connectionCollections, idempotencyKeys, erasedTenants, workLeases].map(mongoCollection),
];
