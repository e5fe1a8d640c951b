import type { ParcelWrite } from '../domain/decide.ts';
import { type CarrierNode, nodeInstant } from '../domain/node.ts';
import type { ParcelKey } from '../domain/parcel-key.ts';
import type { Parcel, WatchedShipment } from '../domain/parcel-state.ts';
import type { Shipment } from '../domain/shipment.ts';
import type { CarrierParcel } from '../ports.ts';
import type { HistoryNode, NodeFields, ParcelDocument, ShipmentFields } from './mongo-schema.ts';

/** The id of a parcel's document. Ids of tenants and forecast numbers have no slash, so two parcels never share one. */
export function parcelId({ tenantId, forecastNo, furtherNumber }: ParcelKey): string {
  return furtherNumber === null ? `${tenantId}/${forecastNo}` : `${tenantId}/${forecastNo}/${furtherNumber}`;
}

/** The parcels of these keys. With their tenants, which say which shards they are on. */
export function parcelsFilter(keys: readonly ParcelKey[]) {
  return { _id: { $in: keys.map(parcelId) }, tenant_id: { $in: [...new Set(keys.map(({ tenantId }) => tenantId))] } };
}

/** The one parcel, likewise. */
export function parcelFilter(key: ParcelKey) {
  return { _id: parcelId(key), tenant_id: { $eq: key.tenantId } };
}

/** The id of a simulated parcel's document. */
export function simulatedParcelId({ tenantId, trackingNumber }: CarrierParcel): string {
  return `${tenantId}/${trackingNumber}`;
}

/** The one simulated parcel, with its tenant. */
export function simulatedParcelFilter(parcel: CarrierParcel) {
  return { _id: simulatedParcelId(parcel), tenant_id: { $eq: parcel.tenantId } };
}

/** What of a document a {@link Shipment} is made of. */
export type ShipmentDocument = Pick<ParcelDocument, 'tenant_id' | 'forecast_no' | 'po_number' | 'is_further' | 'shipment'>;

/** Reads {@link ShipmentDocument}, and leaves the history where it is. */
export const SHIPMENT_ONLY = { tenant_id: 1, forecast_no: 1, po_number: 1, is_further: 1, shipment: 1 } as const;

/** The shipment of a document that has one. */
export function toShipment(
  { tenant_id, forecast_no, po_number, is_further = false }: Omit<ShipmentDocument, 'shipment'>,
  shipment: ShipmentFields,
): Shipment {
  return {
    tenantId: tenant_id,
    forecastNo: forecast_no,
    poNumber: po_number,
    carrierCode: shipment.carrier_code,
    trackingNumber: shipment.tracking_number,
    furtherNumber: is_further ? shipment.tracking_number : null,
    watch: shipment.watch,
    watchedSince: shipment.watched_since,
    dispatchedAt: shipment.dispatched_at ?? shipment.watched_since,
    isWatched: shipment.next_poll_at !== undefined,
    publishedStatus: shipment.published_status,
    wakes: shipment.wakes,
    failures: shipment.failures,
    askedAt: shipment.asked_at ?? 0,
    reportedAt: shipment.reported_at ?? shipment.asked_at ?? 0,
    sealedDetails: shipment.sealed_details ?? null,
    registration: shipment.registration
      ? {
          connectionId: shipment.registration.connection_id,
          reference: shipment.registration.reference,
          at: shipment.registration.at,
          isTaken: shipment.registration.is_taken,
        }
      : null,
  };
}

/** What the next change of a parcel is decided by, but for its history. */
export const PARCEL_ONLY = {
  ...SHIPMENT_ONLY,
  forecast_id: 1,
  accepted_at: 1,
  is_cancelled: 1,
  further_numbers: 1,
  revision: 1,
  nodes_seen: 1,
} as const;

/** What identifies and orders the nodes of a history; their texts stay where they are. */
export const HISTORY_KEYS = { 'nodes.seq': 1, 'nodes.digest': 1, 'nodes.instant': 1 } as const;

/** A document as {@link PARCEL_ONLY} and {@link HISTORY_KEYS} read it. */
export type KnownDocument = Omit<ParcelDocument, 'nodes'> & { readonly nodes?: readonly Pick<HistoryNode, 'seq' | 'digest' | 'instant'>[] };

/** The parcel of a document. When a forecast was cancelled is not stored: the time of its acceptance stands for it. */
export function toParcel(document: KnownDocument): Parcel {
  const { shipment } = document;
  return {
    forecast: {
      tenantId: document.tenant_id,
      forecastNo: document.forecast_no,
      poNumber: document.po_number,
      forecastId: document.forecast_id,
      acceptedAt: document.accepted_at,
      cancelledAt: document.is_cancelled ? document.accepted_at : null,
      furtherNumbers: document.further_numbers ?? [],
    },
    shipment: shipment && {
      ...toShipment(document, shipment),
      sequence: shipment.sequence,
      lastChangeAt: shipment.last_change_at,
      nextPollAt: shipment.next_poll_at ?? null,
    },
    history: { entries: document.nodes ?? [], seen: document.nodes_seen ?? 0 },
    version: document.revision,
  };
}

/** A shipment as it is stored, but for its lease. */
export function toShipmentFields(shipment: WatchedShipment): Omit<ShipmentFields, 'lease_until'> {
  return {
    carrier_code: shipment.carrierCode,
    tracking_number: shipment.trackingNumber,
    watch: shipment.watch,
    sequence: shipment.sequence,
    watched_since: shipment.watchedSince,
    ...(shipment.dispatchedAt !== shipment.watchedSince && { dispatched_at: shipment.dispatchedAt }),
    published_status: shipment.publishedStatus,
    last_change_at: shipment.lastChangeAt,
    ...(shipment.nextPollAt !== null && { next_poll_at: shipment.nextPollAt }),
    wakes: shipment.wakes,
    failures: shipment.failures,
    ...(shipment.askedAt > 0 && { asked_at: shipment.askedAt }),
    ...(shipment.reportedAt !== shipment.askedAt && { reported_at: shipment.reportedAt }),
    ...(shipment.sealedDetails !== null && { sealed_details: shipment.sealedDetails }),
    ...(shipment.registration && {
      registration: {
        connection_id: shipment.registration.connectionId,
        reference: shipment.registration.reference,
        at: shipment.registration.at,
        is_taken: shipment.registration.isTaken,
      },
    }),
  };
}

/** A node of a history as it is stored. */
export function toHistoryNode({ node, seq, digest }: ParcelWrite['added'][number]): HistoryNode {
  return { ...toNodeFields(node), seq, digest };
}

/** A node as it is stored. */
export function toNodeFields(node: CarrierNode): NodeFields {
  return {
    order_no: node.orderNo,
    address: node.address,
    content: node.content,
    status: node.status,
    create_time: node.createTime,
    times: node.times,
    admin_status: node.adminStatus,
    ...(node.timeAssumed && { time_assumed: true }),
    instant: nodeInstant(node),
  };
}

/** The node that was stored. */
export function toNode(fields: NodeFields): CarrierNode {
  return {
    orderNo: fields.order_no,
    address: fields.address,
    content: fields.content,
    status: fields.status,
    createTime: fields.create_time,
    times: fields.times,
    adminStatus: fields.admin_status,
    ...(fields.time_assumed && { timeAssumed: true }),
  };
}
