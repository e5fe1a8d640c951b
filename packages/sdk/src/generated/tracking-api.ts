// Made from the contract by `npm run docs`; do not edit.
import type { Warning } from './warnings.ts';

/** Tracking node */
export interface TrackingNode {
  /** Order number */
  readonly order_no: string;
  /** Location */
  readonly address: string;
  /** Description of the event */
  readonly content: string;
  /** The carrier's own status */
  readonly status: string;
  /** Local time, yyyy-MM-dd HH:mm:ss */
  readonly create_time: string;
  /** Time zone of create_time, such as (GMT+08:00) */
  readonly times: string;
  /** Management status */
  readonly admin_status: AdminStatus;
  /** The source names no zone for create_time, so that times is assumed; absent when the zone is known */
  readonly time_assumed?: true;
}

/** Tracking result */
export interface TrackingResult {
  readonly po_number: string;
  /** true once the warehouse has reported dispatch */
  readonly is_shipped: boolean;
  /** true when every parcel has a final status */
  readonly is_terminal: boolean;
  /** admin_status of the newest node of all parcels; empty when there is none */
  readonly latest_status: string;
  /** Of all parcels, newest first */
  readonly nodes: readonly TrackingNode[];
  /** When the source last reported the parcel, where it was not asked for this query: it did so within the last minute, or its limits allow no further call now. Of several parcels, the oldest; then also where the source of one is out. Absent when all responded. */
  readonly as_of?: string;
  /** Each parcel that the warehouse has dispatched, in the order of the dispatches; empty before the first */
  readonly shipments: readonly TrackingShipment[];
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Tracking shipment */
export interface TrackingShipment {
  /** Carrier of the dispatch */
  readonly carrier_code: string;
  /** Of the carrier, normalised */
  readonly tracking_number: string;
  /** When the warehouse gave it to the carrier */
  readonly dispatched_at: string;
  /** true when its latest status is a final one */
  readonly is_terminal: boolean;
  /** admin_status of its newest node; empty when there is none */
  readonly latest_status: string;
  /** Its own nodes, newest first */
  readonly nodes: readonly TrackingNode[];
  /** When the source last reported this parcel; absent when it responded to this query */
  readonly as_of?: string;
}

/** Status of a parcel in transit, as the platform reports it. */
export type AdminStatus = 'Pending' | 'Info Received' | 'Picked Up' | 'In Transit' | 'Customs Clearance' | 'In Delivery' | 'Available for Pickup' | 'Delivery Attempted' | 'Exception' | 'Returning' | 'Delivery Success' | 'Delivery Failure' | 'Parcel Return to Origin';
