import { type CarrierNode, nodeInstant } from '../domain/node.ts';
import type { KnownForecast, Shipment } from '../domain/shipment.ts';
import type { CarrierParcel } from '../ports.ts';
import type { NodeFields, ParcelDocument, ShipmentFields } from './mongo-schema.ts';

/** The id of a forecast's document. Ids of tenants have no slash, so two forecasts never share one. */
export function parcelId({ tenantId, forecastNo }: Pick<KnownForecast, 'tenantId' | 'forecastNo'>): string {
  return `${tenantId}/${forecastNo}`;
}

/** The id of a simulated parcel's document. */
export function simulatedParcelId({ tenantId, trackingNumber }: CarrierParcel): string {
  return `${tenantId}/${trackingNumber}`;
}

/** What of a document a {@link Shipment} is made of. */
export type ShipmentDocument = Pick<ParcelDocument, 'tenant_id' | 'forecast_no' | 'po_number' | 'shipment'>;

/** Reads {@link ShipmentDocument}, and leaves the history where it is. */
export const SHIPMENT_ONLY = { tenant_id: 1, forecast_no: 1, po_number: 1, shipment: 1 } as const;

/** The shipment of a document that has one. */
export function toShipment({ tenant_id, forecast_no, po_number }: Omit<ShipmentDocument, 'shipment'>, shipment: ShipmentFields): Shipment {
  return {
    tenantId: tenant_id,
    forecastNo: forecast_no,
    poNumber: po_number,
    carrierCode: shipment.carrier_code,
    trackingNumber: shipment.tracking_number,
    watch: shipment.watch,
    watchedSince: shipment.watched_since,
    publishedStatus: shipment.published_status,
    wakes: shipment.wakes,
    failures: shipment.failures,
  };
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
  };
}
